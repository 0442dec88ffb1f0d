extension StringProtocol where SubSequence == Substring {
  /// The components of a path between slashes, without empty ones.
  ///
  /// The path is split by bytes, as the kernel does. A `Character` view hides a slash before a
  /// combining mark, so that `../` before such a mark would leave a folder unnoticed.
  package var pathParts: [Substring] {
    self[...].utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
  }

  /// The path of the folder that contains the file, with a trailing slash; empty for a bare name.
  package var folderPath: String {
    let path = self[...]
    return path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
  }

  /// True if the path begins with a slash.
  package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }
}
