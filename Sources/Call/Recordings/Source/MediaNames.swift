import TesseraTimeline

/// What file names say about files.
package enum MediaNames {
  /// What a file is by its extension.
  enum Kind {
    case video
    case audio
    case image
  }

  private static let kinds: [String: Kind] = {
    var kinds: [String: Kind] = [:]
    let table: [(Kind, String)] = [
      (
        .video,
        """
        webm mkv mp4 m4v mov qt insv ts mts m2ts m2t avi 3gp 3g2 3gpp ogv flv f4v ivf y4m h264 264 h265 265
        mpg mpeg m3u8
        """
      ),
      (.audio, "ogg oga opus mka m4a m4b aac wav wave bwf rf64 w64 flac mp3 amr 3ga"),
      (.image, "png jpg jpeg webp gif bmp"),
    ]
    for (kind, names) in table {
      for name in names.split(whereSeparator: \.isWhitespace) { kinds[String(name)] = kind }
    }
    return kinds
  }()

  /// Recordings in formats that are not read, by their extensions, as people call them.
  static let unread = [
    "aif": "AIFF", "aiff": "AIFF", "aifc": "AIFF", "caf": "Core Audio", "mxf": "MXF",
    "wma": "Windows Media", "wmv": "Windows Media", "asf": "Windows Media", "dv": "DV",
    "vob": "MPEG program stream", "rm": "RealMedia", "rmvb": "RealMedia", "wv": "WavPack",
    "ape": "Monkey's Audio",
  ]

  /// What the file is; nil where its extension says nothing.
  static func kind(_ path: String) -> Kind? { kinds[fileExtension(path)] }

  /// Whether a file of that extension may hold pictures: those of sound that are containers may.
  static func mayHoldPictures(_ path: String) -> Bool {
    kind(path) != .audio || ["ogg", "mka", "m4a"].contains(fileExtension(path))
  }

  /// The endings of recordings, as messages name them.
  static let examples = ".webm, .mkv, .mp4, .mov, .ogg, .wav or .m4a"

  /// The last part of a path; both slashes count, for manifests from anywhere.
  package static func fileName(_ path: String) -> String {
    String(parts(path).last ?? "")
  }

  /// The parts of a path that is written with slashes of either kind.
  static func parts(_ path: String) -> [Substring] {
    path.pathParts.flatMap { $0.utf8.split(separator: UInt8(ascii: "\\")).map(Substring.init) }
  }

  /// The last part without its extension.
  static func stem(_ path: String) -> String {
    let name = fileName(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// The extension in lower case, without its point.
  static func fileExtension(_ path: String) -> String {
    let name = fileName(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[dot...].dropFirst().lowercased()
  }

  /// The folders of a path, from the outermost on.
  static func folders(_ path: String) -> [String] {
    path.pathParts.dropLast().map(String.init)
  }
}
