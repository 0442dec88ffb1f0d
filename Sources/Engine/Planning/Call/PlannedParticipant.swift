import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraTimeline

/// A participant during planning: the recorded pictures and voices with their times.
struct PlannedParticipant {
  /// A stretch of pictures of one track, placed on the timeline.
  struct PictureStretch {
    var track: Plan.Track
    /// The frames in which the take has a picture to show, in ascending order. Excludes gaps that
    /// are too long for holding the last picture.
    var shown: [Range<Int>]
    /// The frame up to which the last picture is held across a gap, if another take starts by then.
    var heldUntil: Int
  }

  /// The content of one tile of a participant: the camera, a further camera, or a screen.
  struct PictureLane {
    var kind: TileTimeline.Kind
    /// The name of the source among those of the same kind; `nil` for the default one.
    var source: String?
    /// The takes, ordered by start.
    var takes: [PictureStretch] = []
    /// Still images with the frames in which they are shown, ordered by start.
    var stills: [(path: String, frames: Range<Int>)] = []
    /// The names and classes by which layouts can select the lane.
    var names: [String] = []
    var classes: [String] = []
    /// The ids of the recording's tracks in this lane.
    var trackIDs: Set<String> = []
  }

  let id: ParticipantID
  var participant: Participant
  /// All names by which options and layout files can refer to the participant.
  var names: [String]
  var isFocused = false
  /// The paths of the participant's files.
  var files: [String] = []
  var lanes: [PictureLane] = []
  var voices: [Plan.Voice] = []
  /// The losses in the participant's recordings.
  var losses: [Loss] = []
}

extension PlannedParticipant.PictureLane {
  /// The frames in which the lane has a picture or still image.
  var shown: [Range<Int>] { (takes.flatMap(\.shown) + stills.map(\.frames)).merged }
}

extension PlannedParticipant {
  /// Returns the person with the speech muted at their times in `mutes`.
  func muted(_ mutes: [ParticipantID: [TimeRange]]) -> PlannedParticipant {
    guard let times = mutes[id] else { return self }
    var person = self
    for index in voices.indices where voices[index].isSpeech {
      person.voices[index].source = voices[index].source.muted(at: times)
    }
    return person
  }
}
