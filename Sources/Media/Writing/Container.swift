/// The formats of files that a render makes.
public enum Container: String, Sendable, Codable, CaseIterable {
  case mp4
  case webm
  case matroska

  /// The format that a file of that name has; nil where its ending is none of theirs.
  public init?(path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    switch path[dot...].lowercased() {
    case ".mp4", ".m4v": self = .mp4
    case ".webm": self = .webm
    case ".mkv", ".mka": self = .matroska
    default: return nil
    }
  }

  /// The endings of names that ask for one of these formats.
  public static let endings = [".mp4", ".m4v", ".webm", ".mkv", ".mka"]

  /// The encoders whose sound it can carry; the first one is the usual one.
  public var soundCodecs: [SoundEncoderSettings.Codec] {
    switch self {
    case .mp4: [.aac, .opus, .flac, .mp3]
    case .webm: [.opus]
    case .matroska: [.aac, .opus, .flac, .mp3, .pcm]
    }
  }

  /// The video encoder that goes with it where none is named.
  public var videoEncoder: String { self == .webm ? "libvpx-vp9" : "libx264" }
}
