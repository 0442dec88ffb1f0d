extension Collection<UInt8> {
  /// The bytes without a leading UTF-8 byte order mark, which some editors write.
  package var withoutByteOrderMark: SubSequence {
    starts(with: [0xef, 0xbb, 0xbf]) ? dropFirst(3) : self[...]
  }
}

extension String {
  /// Decodes the content of a text file, without a byte order mark; `nil` if `bytes` are not UTF-8.
  package init?(file bytes: some Collection<UInt8>) {
    self.init(validating: bytes.withoutByteOrderMark, as: UTF8.self)
  }
}
