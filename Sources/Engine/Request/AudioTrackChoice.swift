/// Which sound is heard of a file with several tracks of it.
public enum AudioTrackChoice: Hashable, Sendable {
  /// The one that is meant to be played.
  case preferred
  /// All of them, mixed.
  case all
  /// The one with that language or title, or that number among the file's tracks of sound, from 1.
  case named(String)

  /// Reads `all`, or what ``named(_:)`` takes; nil for nothing.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self = text == "all" ? .all : .named(text)
  }
}
