extension StringProtocol where SubSequence == Substring {
  /// What stands between the slashes of a path, without what is empty.
  ///
  /// By its bytes, as the kernel reads it: to a `Character`, a slash before a combining mark is none,
  /// and `../` before one leads out of a folder unseen.
  package var pathParts: [Substring] {
    self[...].utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
  }

  /// The path of the folder that the file at this path lies in, with its slash; empty for a name alone.
  package var folderPath: String {
    let path = self[...]
    return path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
  }

  /// Whether a path begins at the root.
  package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }
}
