import Glibc

/// Reads the process's standard input.
package enum StandardInput {
  /// Reads the whole input, up to about `limit` bytes.
  package static func bytes(atMost limit: Int) throws(SystemError) -> [UInt8] {
    try read(atMost: limit, 1 << 16) { _ in false }
  }

  /// Reads the first line, without its line feed, up to about `limit` bytes.
  ///
  /// Nothing after the line is read, provided that its writer sends no more before it is read.
  package static func line(atMost limit: Int) throws(SystemError) -> [UInt8] {
    let bytes = try read(atMost: limit, 1 << 12) { $0.last == UInt8(ascii: "\n") }
    return bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
  }

  private static func read(
    atMost limit: Int, _ size: Int, until isEnd: ([UInt8]) -> Bool
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit, !isEnd(bytes) {
      var failure: CInt = 0
      let part = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        let read = unsafe Glibc.read(STDIN_FILENO, buffer.baseAddress, size)
        failure = read < 0 ? errno : 0
        count = max(0, read)
      }
      if failure == EINTR { continue }
      guard failure == 0 else { throw SystemError("read", "the standard input", number: failure) }
      guard !part.isEmpty else { break }
      bytes += part
    }
    return bytes
  }
}
