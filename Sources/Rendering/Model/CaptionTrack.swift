public import TesseraLettering

/// Captions that are to lie beside the pictures, where players can turn them on and off.
public struct CaptionTrack: Hashable, Sendable {
  /// Where they come from, for messages.
  public var name: String
  /// The cues on the call's timeline, in the order of their times.
  public var cues: [CaptionCue]
  /// The language as three letters: `eng`; nil where it is not known.
  public var language: String?
  /// What players call it; nil leaves that to them.
  public var title: String?

  /// The `cues` of the file `name`.
  public init(
    _ cues: [CaptionCue], name: String, language: String? = nil, title: String? = nil
  ) {
    (self.name, self.cues, self.language, self.title) = (name, cues, language, title)
  }
}
