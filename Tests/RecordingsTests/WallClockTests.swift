import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct WallClockTests {
  private static func recording(
    _ tracks: [(start: Int, clock: Int, source: ClockStart.Source)]
  ) -> Recording {
    var recording = Recording()
    for (index, (start, clock, source)) in tracks.enumerated() {
      var track = Track(id: "t\(index)", file: "\(index).webm", start: MediaTime(seconds: start))
      track.clockStart = ClockStart(MediaTime(seconds: clock), source)
      recording.participants.append(Participant(id: "p\(index)", tracks: [track]))
    }
    return recording
  }

  @Test func theRecorderKnowsBest() {
    var recording = Self.recording([(5, 1005, .name)])
    recording.startedAt = MediaTime(seconds: 990)
    #expect(recording.wallClockStart == MediaTime(seconds: 990))
  }

  @Test func elseTheFirstTrackOfTheBestSourceDoes() {
    let tracks: [(Int, Int, ClockStart.Source)] = [
      (0, 800, .container), (20, 1030, .name), (10, 1010, .name),
    ]
    #expect(Self.recording(tracks).wallClockStart == MediaTime(seconds: 1000))
    #expect(Self.recording([tracks[0]]).wallClockStart == MediaTime(seconds: 800))
    #expect(Self.recording([]).wallClockStart == nil)
  }
}
