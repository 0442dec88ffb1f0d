import TesseraLayout
import TesseraMedia
import TesseraSoundtrack
import TesseraTimeline

/// Somebody in the call as the planner takes it: what was recorded of the person and when.
struct Person {
  /// A stretch of pictures or sound, placed on the timeline.
  struct Take<Content> {
    var content: Content
    /// When there is something to see or hear.
    var interval: TesseraTimeline.TimeInterval
  }

  let id: ParticipantID
  /// What the person is called.
  var name: String
  /// All names by which options and layout files may mean the person.
  var names: [String]
  var isLocal = false
  var isFocused = false
  /// The files that belong to the person.
  var files: [String]
  /// The pictures of the person, in the order of their beginnings.
  var camera: [Take<Plan.Track>] = []
  /// The sound, likewise.
  var voices: [Take<Plan.Voice>] = []
}
