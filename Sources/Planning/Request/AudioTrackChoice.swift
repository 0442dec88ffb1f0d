import TesseraMedia
import TesseraPlan

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

  /// The streams of `file` that are chosen, by their places in the container; nil for the preferred
  /// one, also where the file has none of that name.
  func streams(of file: MediaFile) -> Set<Int>? {
    var seen: Set<Int> = []
    let streams = file.tracks(.audio).map(\.stream).filter { seen.insert($0.index).inserted }
      .sorted { $0.index < $1.index }
    switch self {
    case .preferred: return nil
    case .all: return streams.isEmpty ? nil : seen
    case .named(let name):
      let wanted = name.lowercased()
      let found =
        streams.first { $0.language?.lowercased() == wanted || $0.title?.lowercased() == wanted }
        ?? Int(name).flatMap { streams.indices.contains($0 - 1) ? streams[$0 - 1] : nil }
      return found.map { [$0.index] }
    }
  }
}
