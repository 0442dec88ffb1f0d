package import TesseraCaptions
import TesseraPlan

/// Captions that are to lie beside the pictures, where players can turn them on and off.
package struct CaptionTrack: Hashable, Sendable {
  /// Where they come from, for messages.
  package var name: String
  /// The cues on the call's timeline, in the order of their times.
  package var cues: [CaptionCue]
  /// Whether the call's transcript makes the cues, with the names of those who speak.
  package var isTranscript = false
  /// The language as three letters: `eng`; nil where it is not known.
  package var language: String?
  /// What players call it; nil leaves that to them.
  package var title: String?
  /// True if players show them unless the viewer turns them off.
  package var isDefault = false

  /// The `cues` of the file `name`.
  package init(
    _ cues: [CaptionCue], name: String, language: String? = nil, title: String? = nil
  ) {
    (self.name, self.cues, self.language, self.title) = (name, cues, language, title)
  }

  /// The call's transcript.
  package static func transcript(language: String? = nil, title: String? = nil) -> CaptionTrack {
    var track = CaptionTrack([], name: "the transcript", language: language, title: title)
    track.isTranscript = true
    return track
  }
}
