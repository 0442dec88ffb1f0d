import TesseraTimeline

/// Decides which entries of an archive are unpacked, and under which paths.
struct ArchiveEntryFilter {
  /// The reason why an archive is refused because of one entry.
  struct EntryProblem: Error {
    let words: String
  }

  private var files: Set<String> = []
  private var folders: Set<String> = []

  /// Limits on a path: its length in bytes and its number of components.
  static let longestPath = 1024
  static let deepestPath = 32

  /// Validates an entry and returns it with a safe path; `nil` for an entry to ignore.
  ///
  /// Refuses absolute paths, `..`, links, devices, control characters, duplicates and long paths.
  mutating func entry(_ header: ArchiveReader.Header) -> Result<ZipArchive.Entry?, EntryProblem> {
    let shown = header.path.shortened
    guard !header.path.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      return .failure(EntryProblem(words: "it holds a name with control characters"))
    }
    let written = header.path.replacing("\\", with: "/")
    let parts = written.pathParts.filter { $0 != "." }
    guard !written.isAbsolutePath, !Self.isDrive(parts.first) else {
      return .failure(EntryProblem(words: "it holds the absolute path \"\(shown)\""))
    }
    guard !parts.contains("..") else {
      return .failure(EntryProblem(words: "it holds \"\(shown)\", which leads out of its folder"))
    }
    guard header.kind != .other else {
      return .failure(
        EntryProblem(words: "it holds \"\(shown)\", which is a link or a device and not a file"))
    }
    guard written.utf8.count <= Self.longestPath, parts.count <= Self.deepestPath,
      parts.allSatisfy({ $0.utf8.count <= 255 })
    else {
      return .failure(EntryProblem(words: "it holds the path \"\(shown)\", which is too long"))
    }
    // Resource forks that macOS adds to archives are not part of the recording.
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
      return .failure(EntryProblem(words: "it holds \"\(shown)\" twice"))
    }
    return .success(ZipArchive.Entry(path: path, size: header.size, isFolder: isFolder))
  }

  /// The reason to refuse the archive if a path is both a file and a folder; `nil` if none is.
  var conflict: String? {
    files.intersection(folders).min().map { "it holds \"\($0.shortened)\" as file and as folder" }
  }

  private static func isDrive(_ part: Substring?) -> Bool {
    guard let part, part.utf8.count == 2 else { return false }
    return part.hasSuffix(":")
  }
}

extension String {
  /// The text without control characters, cut to 60 characters for messages.
  var shortened: String {
    let plain = String(unicodeScalars.map { $0.value < 0x20 ? "?" : Character($0) })
    return plain.count <= 60 ? plain : plain.prefix(59) + "…"
  }
}
