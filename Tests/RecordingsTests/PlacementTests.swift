import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct PlacementTests {
  private static func track(_ id: String, start: String = "0", follows: String? = nil) -> Track {
    var track = Track(id: id, file: "\(id).webm", start: .at(start))
    track.follows = follows
    return track
  }

  @Test func partsAreAfterTheirPredecessors() {
    var second = Self.track("b", start: "1", follows: "a")
    second.stop = .at("3")
    let recording = Recording(participants: [
      Participant(
        id: "p", tracks: [Self.track("c", follows: "b"), second, Self.track("a", start: "2")])
    ])
    let placed = recording.placed(["a": TrackFacts(duration: .at("10"))])
    #expect(placed.tracks.map(\.start) == [.at("13"), .at("13"), .at("2")])
    #expect(placed.tracks.map(\.stop) == [nil, .at("15"), nil])
    #expect(placed.tracks.map(\.follows) == [nil, nil, nil])
  }

  @Test func containerStartsAreAdded() {
    var first = Self.track("a")
    first.addsContainerStart = true
    let recording = Recording(participants: [
      Participant(id: "p", tracks: [first]), Participant(id: "q", tracks: [Self.track("b")]),
    ])
    let facts = [
      "a": TrackFacts(duration: .at("10"), containerStart: .at("1.5")),
      "b": TrackFacts(duration: .at("10"), containerStart: .at("0.5")),
    ]
    #expect(recording.placed(facts).tracks.map(\.start) == [.at("1.5"), .zero])
    #expect(
      recording.placed(facts, alignment: .container).tracks.map(\.start) == [
        .at("1.5"), .at("0.5"),
      ])
  }

  @Test func clocksCountWhereAllHaveOne() {
    var first = Self.track("a")
    first.clockStart = ClockStart(MediaTime(seconds: 1_760_000_005), .name)
    let recording = Recording(participants: [
      Participant(id: "p", tracks: [first]), Participant(id: "q", tracks: [Self.track("b")]),
    ])
    let facts = ["b": TrackFacts(duration: .at("9"), clock: MediaTime(seconds: 1_760_000_000))]
    #expect(recording.placed([:], alignment: .clock).tracks.map(\.start) == [.zero, .zero])
    #expect(recording.placed(facts, alignment: .clock).tracks.map(\.start) == [.at("5"), .zero])
    #expect(recording.clockDiffers(facts) && !recording.clockDiffers([:]))
  }

  @Test func offsetsMovePeopleAndNothingIsBeforeZero() {
    var recording = Recording(participants: [
      Participant(id: "p", tracks: [Self.track("a"), Self.track("c", follows: "a")]),
      Participant(id: "q", tracks: [Self.track("b")]),
    ])
    recording.events = [Event(.at("1"), .focused("p"))]
    let placed = recording.placed(
      ["a": TrackFacts(duration: .at("10"))], offsets: ["p": MediaTime(seconds: -2)])
    #expect(placed.tracks.map(\.start) == [.zero, .at("10"), .at("2")])
    #expect(placed.events.map(\.time) == [.at("3")])
  }

  @Test func filesAreCompared() {
    var recording = Recording(participants: [Participant(id: "p", tracks: [Self.track("a")])])
    recording.overlays = [Overlay(.image("logo.png"))]
    #expect(recording.missingFiles(among: ["b.webm"]).map(\.track.id) == ["a"])
    #expect(
      recording.unusedFiles(among: ["a.webm", "b.webm", "logo.png", "x.txt"]) == ["b.webm"])
  }
}
