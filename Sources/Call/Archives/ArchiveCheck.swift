import TesseraTimeline

/// Decides which entries of an archive are unpacked, and under which paths.
struct ArchiveCheck {
  /// What is wrong with an entry.
  struct Refusal: Error {
    let words: String
  }

  private var files: Set<String> = []
  private var folders: Set<String> = []

  /// The longest path in bytes, and the most folders in it.
  static let longestPath = 1024
  static let deepestPath = 32

  /// The entry with a path that leads nowhere else; nil where it is one that is passed over.
  mutating func entry(_ header: ArchiveReader.Header) -> Result<Archive.Entry?, Refusal> {
    let shown = header.path.shortened
    guard !header.path.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      return .failure(Refusal(words: "it holds a name with control characters"))
    }
    let written = header.path.replacing("\\", with: "/")
    let parts = written.pathParts.filter { $0 != "." }
    guard !written.isAbsolutePath, !Self.isDrive(parts.first) else {
      return .failure(Refusal(words: "it holds the absolute path \"\(shown)\""))
    }
    guard !parts.contains("..") else {
      return .failure(Refusal(words: "it holds \"\(shown)\", which leads out of its folder"))
    }
    guard header.kind != .other else {
      return .failure(
        Refusal(words: "it holds \"\(shown)\", which is a link or a device and not a file"))
    }
    guard written.utf8.count <= Self.longestPath, parts.count <= Self.deepestPath,
      parts.allSatisfy({ $0.utf8.count <= 255 })
    else { return .failure(Refusal(words: "it holds the path \"\(shown)\", which is too long")) }
    // What macOS adds to archives is not part of the recording.
    let isExtra = parts.first == "__MACOSX" || parts.last?.hasPrefix("._") == true
    guard !parts.isEmpty, !isExtra else { return .success(nil) }
    let path = parts.joined(separator: "/")
    for count in 1..<max(parts.count, 1) {
      folders.insert(parts.prefix(count).joined(separator: "/"))
    }
    let isFolder = header.kind == .folder || written.hasSuffix("/")
    if isFolder {
      folders.insert(path)
    } else if !files.insert(path).inserted {
      return .failure(Refusal(words: "it holds \"\(shown)\" twice"))
    }
    return .success(Archive.Entry(path: path, size: header.size, isFolder: isFolder))
  }

  /// What is both a file and a folder.
  var conflict: String? {
    files.intersection(folders).min().map { "it holds \"\($0.shortened)\" as file and as folder" }
  }

  private static func isDrive(_ part: Substring?) -> Bool {
    guard let part, part.utf8.count == 2 else { return false }
    return part.hasSuffix(":")
  }
}

extension String {
  /// The text without control characters, cut where it is too long for a message.
  var shortened: String {
    let plain = String(unicodeScalars.map { $0.value < 0x20 ? "?" : Character($0) })
    return plain.count <= 60 ? plain : plain.prefix(59) + "…"
  }
}
