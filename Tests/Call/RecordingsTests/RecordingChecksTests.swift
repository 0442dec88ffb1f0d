import TesseraMessages
import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct RecordingChecksTests {
  private static let ten = TrackPlacementFacts(duration: MediaTime(seconds: 10))

  private static func call(_ tracks: [Track]) -> (Recording, [Track.ID: TrackPlacementFacts]) {
    let recording = Recording(participants: [Participant(id: "a", name: "Ada", tracks: tracks)])
    return (recording, Dictionary(uniqueKeysWithValues: tracks.map { ($0.id, ten) }))
  }

  private static func track(_ id: String, at start: Int) -> Track {
    Track(id: id, file: "\(id).webm", kind: .camera, start: MediaTime(seconds: start))
  }

  /// Two people with one name who are never present together may be one person who returned.
  @Test func peopleWhoReturnUnderANewIdentifierAreNoted() {
    func call(_ second: Int, _ name: String = "Ada") -> [UserMessage] {
      let people = [("PA1", "Ada", 0), ("PA2", name, second)].map { id, name, start in
        Participant(id: id, name: name, tracks: [Self.track(id, at: start)])
      }
      return Recording(participants: people).rejoins(["PA1": Self.ten, "PA2": Self.ten])
    }
    #expect(
      call(12) == [
        "Ada has 2 identifiers, PA1, PA2, which are never present together: if they are one person, "
          + #"give --people a CSV file with the lines "id,same-as", "PA2,PA1"."#
      ])
    #expect(call(5).isEmpty)
    #expect(call(12, "Ben").isEmpty)
  }

  @Test func consistentRecordingsHaveNoNotes() {
    var first = Self.track("one", at: 0)
    first.stop = MediaTime(nanoseconds: 10_400_000_000)
    var microphone = Self.track("mic", at: 0)
    microphone.kind = .microphone
    let (recording, facts) = Self.call([first, Self.track("two", at: 10), microphone])
    #expect(recording.contradictions(facts).isEmpty)
  }

  @Test func aStopPastTheFilesEnd() {
    var track = Self.track("one", at: 5)
    track.stop = MediaTime(seconds: 17)
    let (recording, facts) = Self.call([track])
    #expect(
      recording.contradictions(facts)
        == ["Ada's one.webm is to stop at 0:17.0, but its file ends 2.0 s sooner."])
  }

  @Test func aCutPastTheFilesEnd() {
    var (early, late) = (Self.track("one", at: 0), Self.track("two", at: 20))
    early.inPoint = MediaTime(seconds: 11)
    late.outPoint = MediaTime(seconds: 12)
    let (recording, facts) = Self.call([early, late])
    #expect(
      recording.contradictions(facts) == [
        "Ada's one.webm begins at 0:11.0 of its file, but the file is 0:10.0 long.",
        "Ada's two.webm ends at 0:12.0 of its file, but the file is 0:10.0 long.",
      ])
  }

  @Test func tracksOfOneKindThatOverlap() {
    var other = Self.track("other", at: 4)
    other.source = "second camera"
    let (recording, facts) = Self.call([
      Self.track("one", at: 0), Self.track("two", at: 7), other,
    ])
    #expect(
      recording.contradictions(facts)
        == ["Ada's one.webm and two.webm overlap by 3.0 s from 0:07.0 on."])
  }

  @Test func emptyRecordingsAndParticipants() {
    var (recording, facts) = Self.call([Self.track("one", at: 0)])
    recording.participants.append(Participant(id: "b", name: "Ben"))
    recording.events = [
      CallEvent(MediaTime(seconds: 3), .left("b")), CallEvent(MediaTime(seconds: 40), .left("a")),
    ]
    #expect(
      recording.contradictions(facts) == [
        "nothing was recorded of Ben.",
        "1 event comes after the last recording's end at 0:10.0, the first at 0:40.0.",
      ])
  }
}
