import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlanning

/// Speaker names of transcripts, matched to participants by whole names and by parts.
@Suite("Speakers of transcripts", .timed) struct SpeakerNameMatcherTests {
  private static func names(_ people: [String], absent: [String] = []) -> SpeakerNameMatcher {
    let recording = Recording(participants: people.map { Participant(id: "id of \($0)", name: $0) })
    return SpeakerNameMatcher(recording, absent: Set(absent.map { TranscriptPlacer.folded($0) }))
  }

  /// Returns the participant for each matched speaker; a star marks a guess.
  private static func matches(
    _ speakers: [String], _ people: [String], absent: [String] = []
  ) -> [String: String] {
    names(people, absent: absent).matches(Set(speakers)).mapValues {
      $0.id.dropFirst("id of ".count) + ($0.isGuessed ? "*" : "")
    }
  }

  @Test(
    "A part of a name matches if only one participant fits",
    arguments: [
      (["Weber"], ["Prof Weber", "Ada Okafor"], ["Weber": "Prof Weber*"]),
      (["weber, prof."], ["Prof. Weber"], ["weber, prof.": "Prof. Weber*"]),
      (["ada  okafor"], ["Ada Okafor", "Ada Lind"], ["ada  okafor": "Ada Okafor"]),
      (["Ada"], ["Ada Okafor", "Ada Lind"], [:]),
      (["Ada"], ["Ada", "Ada Lind"], ["Ada": "Ada"]),
      (["Web"], ["Prof Weber"], [:]),
      (["Anna Weber"], ["Weber"], [:]),
      // Two speakers of one transcript are two people.
      (["Weber", "Prof Weber"], ["Prof Weber"], ["Prof Weber": "Prof Weber"]),
      (["Anna", "Weber"], ["Anna Weber"], [:]),
      // Numbers and initials are no names.
      (["1"], ["Room 1"], [:]), (["A"], ["Ada A"], [:]), (["SPEAKER_00"], ["Speaker"], [:]),
      (["", "?", " "], ["Ada"], [:]),
      (["Ada"], ["Ada", "ada"], [:]),
    ] as [([String], [String], [String: String])])
  func parts(_ speakers: [String], _ people: [String], _ wanted: [String: String]) {
    #expect(Self.matches(speakers, people) == wanted)
  }

  @Test("Excluded participants are counted, and their words stay unread")
  func absent() {
    #expect(Self.matches(["Weber"], ["Prof Weber"], absent: ["Anna Weber"]) == [:])
    #expect(Self.matches(["Weber"], ["Weber"], absent: ["Weber"]) == [:])
    let names = Self.names(["Ada"], absent: ["Prof Weber"])
    #expect(names.mayBeAbsent("Weber") && names.mayBeAbsent("prof  weber"))
    #expect(!names.mayBeAbsent("Ada") && !names.mayBeAbsent("Lind"))
  }

  @Test("Names that participants take later match too")
  func renamed() {
    let recording = Recording(
      participants: [Participant(id: "a", name: "Guest")],
      events: [CallEvent(.zero, .renamed("a", to: "Prof Weber"))])
    let matches = SpeakerNameMatcher(recording, absent: []).matches(["Weber", "A"])
    #expect(matches["A"] == SpeakerNameMatcher.Match(id: "a", isGuessed: false))
    #expect(matches["Weber"] == nil)
    let alone = SpeakerNameMatcher(recording, absent: []).matches(["Weber"])
    #expect(alone == ["Weber": SpeakerNameMatcher.Match(id: "a", isGuessed: true)])
  }
}
