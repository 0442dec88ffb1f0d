/// The formats of files that a render makes; the raw value is what names of files call it.
public enum OutputContainer: String, Hashable, Sendable, Codable, CaseIterable {
  case mp4
  case webm
  case matroska = "mkv"
  case wav
  case flac
  case mp3
  case m4a
  case opus

  /// The format that a file of that name has; nil where its ending is none of ``endings``.
  public init?(path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    let ending = path[path.index(after: dot)...].lowercased()
    guard let found = Self(rawValue: Self.synonyms[ending] ?? ending) else { return nil }
    self = found
  }

  private static let synonyms = ["m4v": "mp4", "mka": "mkv"]

  /// The formats that hold pictures and sound.
  public static let videos: [OutputContainer] = [.mp4, .webm, .matroska]

  /// The endings of names that ask for one of these formats, those of videos first.
  public static let endings = [".mp4", ".m4v", ".webm", ".mkv", ".mka"] + soundEndings

  private static let soundEndings = allCases.filter { !$0.hasPictures }.map { ".\($0.rawValue)" }

  /// Whether it holds more than sound.
  public var hasPictures: Bool { Self.videos.contains(self) }

  /// The encoders whose sound it can carry; the first one is the usual one.
  package var soundCodecs: [SoundEncoderSettings.Codec] {
    switch self {
    case .mp4: [.aac, .opus, .flac, .mp3]
    case .webm, .opus: [.opus]
    case .matroska: [.opus, .aac, .flac, .mp3, .pcm]
    case .wav: [.pcm]
    case .flac: [.flac]
    case .mp3: [.mp3]
    case .m4a: [.aac]
    }
  }

  /// The video encoder that goes with it where none is named.
  public var videoEncoder: String { self == .webm ? "libvpx-vp9" : "libx264" }

  /// libavformat's name of it.
  var muxerName: String {
    switch self {
    case .matroska: "matroska"
    case .m4a: "ipod"
    case .mp4, .webm, .wav, .flac, .mp3, .opus: rawValue
    }
  }
}
