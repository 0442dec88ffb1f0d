import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct IdleRangeFinderTests {
  private static func seconds(_ seconds: Int) -> MediaTime { MediaTime(seconds: seconds) }

  /// Returns a recording with a track for each pair of start and duration in seconds.
  private static func recording(
    _ tracks: [(start: Int, length: Int)]
  ) -> (recording: Recording, facts: [Track.ID: TrackPlacementFacts]) {
    var recording = Recording()
    var facts: [Track.ID: TrackPlacementFacts] = [:]
    for (index, (start, length)) in tracks.enumerated() {
      let track = Track(id: "t\(index)", file: "\(index).webm", start: seconds(start))
      recording.participants.append(Participant(id: "p\(index)", tracks: [track]))
      facts[track.id] = TrackPlacementFacts(duration: seconds(length))
    }
    return (recording, facts)
  }

  @Test func idleStretchesAreTrimmed() {
    var (recording, facts) = Self.recording([(10, 20), (25, 10), (100, 10), (113, 7)])
    recording.participants[2].tracks[0].stop = Self.seconds(108)
    recording.events = [
      CallEvent(Self.seconds(50), .renamed("p0", to: "Ada")),
      CallEvent(Self.seconds(104), .focused("p2")),
    ]
    recording.overlays = [
      Overlay(from: Self.seconds(40), to: Self.seconds(60), .text("nobody sees it")),
      Overlay(from: Self.seconds(90), to: Self.seconds(105), .text("later")),
    ]
    recording.startedAt = Self.seconds(1000)
    let trim = IdleRangeFinder(recording, facts)
    // 0 to 10, 35 to 100 and 108 to 113: the minimum is 5 s.
    #expect(trim.stretches.map(\.start) == [0, 35, 108].map(Self.seconds))
    #expect(trim.stretches.map(\.end) == [10, 100, 113].map(Self.seconds))
    #expect(trim.duration == Self.seconds(80))
    #expect(trim.cut.holes(before: Self.seconds(130)) == trim.stretches)
  }

  @Test func presentPeopleWithoutRecordingsKeepTheTime() {
    var (recording, facts) = Self.recording([(0, 10), (60, 10)])
    recording.events = [
      CallEvent(Self.seconds(20), .joined("p1")), CallEvent(Self.seconds(70), .left("p1")),
    ]
    #expect(
      IdleRangeFinder(recording, facts).stretches
        == [TimeRange(start: Self.seconds(10), end: Self.seconds(20))])
    recording.events = [CallEvent(Self.seconds(61), .left("p0"))]
    #expect(IdleRangeFinder(recording, facts).stretches.isEmpty)
  }

  @Test func shortAbsencesAreKept() {
    let (recording, facts) = Self.recording([(0, 10), (14, 10)])
    let trim = IdleRangeFinder(recording, facts)
    #expect(trim.stretches.isEmpty && trim.cut == .whole)
  }
}
