import TesseraJobs
package import TesseraLettering
import TesseraPlan

/// Captions that are to lie beside the pictures, where players can turn them on and off.
package struct CaptionTrack: Hashable, Sendable {
  /// Where they come from, for messages.
  package var name: String
  /// The cues on the call's timeline, in the order of their times.
  package var cues: [CaptionCue]
  /// The language as three letters: `eng`; nil where it is not known.
  package var language: String?
  /// What players call it; nil leaves that to them.
  package var title: String?

  /// The `cues` of the file `name`.
  package init(
    _ cues: [CaptionCue], name: String, language: String? = nil, title: String? = nil
  ) {
    (self.name, self.cues, self.language, self.title) = (name, cues, language, title)
  }
}
