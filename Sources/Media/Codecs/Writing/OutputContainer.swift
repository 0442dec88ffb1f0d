/// A container format of output files. The raw value is the usual file name extension.
public enum OutputContainer: String, Hashable, Sendable, Codable, CaseIterable {
  case mp4
  case webm
  case matroska = "mkv"
  case wav
  case flac
  case mp3
  case m4a
  case opus

  /// Determines the format from the extension of `path`; returns `nil` if it is not one of
  /// ``endings``.
  public init?(path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    let ending = path[path.index(after: dot)...].lowercased()
    guard let found = Self(rawValue: Self.synonyms[ending] ?? ending) else { return nil }
    self = found
  }

  private static let synonyms = ["m4v": "mp4", "mka": "mkv"]

  /// The formats that can contain video and audio.
  public static let videos: [OutputContainer] = [.mp4, .webm, .matroska]

  /// The accepted file name extensions with their dots, those of video formats first.
  public static let endings = [".mp4", ".m4v", ".webm", ".mkv", ".mka"] + soundEndings

  private static let soundEndings = allCases.filter { !$0.hasPictures }.map { ".\($0.rawValue)" }

  /// True if the format can contain video.
  public var hasPictures: Bool { Self.videos.contains(self) }

  /// The audio encoders whose streams the format can contain. The first one is the default.
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

  /// The default video encoder for the format.
  public var videoEncoder: String { self == .webm ? "libvpx-vp9" : "libx264" }

  /// libavformat's name of the muxer.
  var muxerName: String {
    switch self {
    case .matroska: "matroska"
    case .m4a: "ipod"
    case .mp4, .webm, .wav, .flac, .mp3, .opus: rawValue
    }
  }
}
