extension Collection<UInt8> {
  /// The bytes without the byte order mark of UTF-8 that some editors write first.
  package var withoutByteOrderMark: SubSequence {
    starts(with: [0xef, 0xbb, 0xbf]) ? dropFirst(3) : self[...]
  }
}

extension String {
  /// The text of a file without a byte order mark; `nil` if `bytes` are not UTF-8.
  package init?(file bytes: some Collection<UInt8>) {
    self.init(validating: bytes.withoutByteOrderMark, as: UTF8.self)
  }
}
