import TesseraTimeline

/// Facts about files from their names and extensions.
package enum FileNameClassifier {
  /// The kind of a media file by its extension.
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

  /// Media formats that are not supported, with their names for messages, by extension.
  static let unread = [
    "aif": "AIFF", "aiff": "AIFF", "aifc": "AIFF", "caf": "Core Audio", "mxf": "MXF",
    "wma": "Windows Media", "wmv": "Windows Media", "asf": "Windows Media", "dv": "DV",
    "vob": "MPEG program stream", "rm": "RealMedia", "rmvb": "RealMedia", "wv": "WavPack",
    "ape": "Monkey's Audio",
  ]

  /// Returns the kind of the file at `path`; `nil` for an unknown extension.
  static func kind(_ path: String) -> Kind? { kinds[fileExtension(path)] }

  /// True if a file with the extension may contain pictures. Some audio extensions denote
  /// containers.
  static func mayHoldPictures(_ path: String) -> Bool {
    kind(path) != .audio || ["ogg", "mka", "m4a"].contains(fileExtension(path))
  }

  /// Examples of supported extensions, for messages.
  static let examples = ".webm, .mkv, .mp4, .mov, .ogg, .wav or .m4a"

  /// Returns the last component of a path. Manifests from any system are read, so `\` separates
  /// like `/`.
  package static func fileName(_ path: String) -> String {
    String(parts(path).last ?? "")
  }

  /// Returns the components of a path with slashes of either kind.
  static func parts(_ path: String) -> [Substring] {
    path.pathParts.flatMap { $0.utf8.split(separator: UInt8(ascii: "\\")).map(Substring.init) }
  }

  /// Returns the last component of a path, without its extension.
  static func stem(_ path: String) -> String {
    let name = fileName(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// Returns the extension in lower case, without the period.
  static func fileExtension(_ path: String) -> String {
    let name = fileName(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[dot...].dropFirst().lowercased()
  }

  /// Returns the folders of a path, from the outermost to the innermost.
  static func folders(_ path: String) -> [String] {
    path.pathParts.dropLast().map(String.init)
  }
}
