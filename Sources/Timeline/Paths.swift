extension StringProtocol where SubSequence == Substring {
  /// What stands between the slashes of a path, without what is empty.
  ///
  /// By its bytes, as the kernel reads it: to a `Character`, a slash before a combining mark is none,
  /// and `../` before one leads out of a folder unseen.
  package var pathParts: [Substring] {
    self[...].utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
  }

  /// Whether a path begins at the root.
  package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }
}
