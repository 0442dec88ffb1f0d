import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct WallClockTests {
  private static func recording(
    _ tracks: [(start: Int, clock: Int, resolution: Int)]
  ) -> Recording {
    var recording = Recording()
    for (index, (start, clock, resolution)) in tracks.enumerated() {
      var track = Track(id: "t\(index)", file: "\(index).webm", start: MediaTime(seconds: start))
      track.anchors.append(
        TimeAnchor(
          .created, .wall("a"), MediaTime(seconds: clock), within: MediaTime(seconds: resolution),
          source: "its date"))
      recording.participants.append(Participant(id: "p\(index)", tracks: [track]))
    }
    return recording
  }

  @Test func theRecordersClockHasPriority() {
    var recording = Self.recording([(5, 1005, 1)])
    recording.startedAt = MediaTime(seconds: 990)
    #expect(recording.wallClockStart == MediaTime(seconds: 990))
  }

  @Test func otherwiseTheFirstTrackWithTheFinestDateDecides() {
    let tracks = [(0, 800, 60), (20, 1030, 1), (10, 1010, 1)]
    #expect(Self.recording(tracks).wallClockStart == MediaTime(seconds: 1000))
    #expect(Self.recording([tracks[0]]).wallClockStart == MediaTime(seconds: 800))
    #expect(Self.recording([]).wallClockStart == nil)
  }
}
