import TesseraCodecs
import TesseraJobs
import TesseraLayout
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraTimeline

/// Somebody in the call as the planner takes it: what was recorded of the person, and when.
struct Person {
  /// A stretch of pictures, placed on the timeline.
  struct Take {
    var track: Plan.Track
    /// The frames in which it has something to show, in ascending order: not where its pictures
    /// stopped for so long that holding the last one would deceive.
    var shown: [Range<Int>]
    /// The frame up to which its last picture is held across a gap, if another take begins by then.
    var heldUntil: Int
  }

  /// What one tile shows of the person: the camera, another camera, or a screen.
  struct Lane {
    var kind: Slot.Kind
    /// Which of the person's sources of a kind it is; nil for the usual one.
    var source: String?
    /// In the order of their beginnings.
    var takes: [Take] = []
    /// Images that stand for a while, in the order of their beginnings.
    var stills: [(path: String, frames: Range<Int>)] = []
    /// Names and classes by which layouts may mean it.
    var names: [String] = []
    var classes: [String] = []
    /// The recording's tracks that it is made of.
    var trackIDs: Set<String> = []
  }

  let id: ParticipantID
  var participant: Participant
  /// All names by which options and layout files may mean the person.
  var names: [String]
  var isFocused = false
  /// The files that belong to the person.
  var files: [String] = []
  var lanes: [Lane] = []
  var voices: [Plan.Voice] = []
  /// What is wrong.
  var losses: [Loss] = []
}

extension Person.Lane {
  /// The frames in which there is something to show.
  var shown: [Range<Int>] { (takes.flatMap(\.shown) + stills.map(\.frames)).merged }
}

extension Person {
  /// The person, silent at the person's times in `mutes`.
  func muted(_ mutes: [ParticipantID: [TimeRange]]) -> Person {
    guard let times = mutes[id] else { return self }
    var person = self
    for index in voices.indices where voices[index].isSpeech {
      person.voices[index].source = voices[index].source.muted(at: times)
    }
    return person
  }
}
