/// The choice of audio track for files with several audio tracks.
public enum AudioTrackChoice: Hashable, Sendable {
  /// The track that the file marks for playback.
  case preferred
  /// All audio tracks, mixed.
  case all
  /// The track with this language, title or number; tracks count from 1 among the file's audio
  /// tracks.
  case named(String)

  /// Reads `all`, or a language, title or number for ``named(_:)``. Returns `nil` for an empty
  /// text.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self = text == "all" ? .all : .named(text)
  }
}
