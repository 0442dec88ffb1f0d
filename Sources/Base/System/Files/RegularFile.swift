package import Glibc

/// A plain file that a user named, open for reading.
///
/// Every path from a user is opened here. Pipes, terminals and devices are rejected without
/// waiting, because reading them may never end.
@safe package struct RegularFile: ~Copyable {
  /// The open file's descriptor, owned by this value.
  package let descriptor: CInt
  private let path: String

  /// Opens the file at `path`.
  ///
  /// - Throws: ``SystemError`` if the file cannot be opened or is not a regular file.
  package init(_ path: String) throws(SystemError) {
    descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    self.path = path
    guard descriptor >= 0 else {
      // A pipe or device without a peer, or a socket.
      let isSpecial = [ENXIO, ENODEV].contains(errno)
      throw SystemError("open", path, number: isSpecial ? SystemError.notRegular : errno)
    }
    guard try status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError("open", path, number: SystemError.notRegular)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package var byteCount: Int { get throws(SystemError) { Int(try status.st_size) } }

  /// The result of `fstat`.
  package var status: stat {
    get throws(SystemError) {
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError("read", path) }
      return status
    }
  }

  /// Returns at most `count` bytes from `offset` on.
  package borrowing func bytes(
    _ count: Int, from offset: Int = 0
  ) throws(SystemError) -> [UInt8] {
    let size = try byteCount
    // A file that grows meanwhile, or a kernel file, may have more bytes than its stated size.
    let expected = min(count, max(0, size - offset) + 1)
    var bytes: [UInt8] = []
    while bytes.count < count {
      let room = min(count - bytes.count, bytes.isEmpty ? max(4096, expected) : 1 << 20)
      var failure: CInt = 0
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
        var result = 0
        repeat {
          result = unsafe pread(descriptor, buffer.baseAddress, room, off_t(offset + bytes.count))
        } while result < 0 && errno == EINTR
        failure = result < 0 ? errno : 0
        filled = max(0, result)
      }
      guard failure == 0 else { throw SystemError("read", path, number: failure) }
      guard !piece.isEmpty else { break }
      bytes += piece
    }
    return bytes
  }

  /// Returns the first `count` bytes, or fewer, of the file at `path`.
  package static func bytes(_ path: String, atMost count: Int) throws(SystemError) -> [UInt8] {
    try RegularFile(path).bytes(count)
  }

  /// Opens the file at `path` as a stream of the C library, which the caller closes; `nil` if it
  /// cannot be opened or is not a regular file.
  @unsafe package static func stream(_ path: String) -> UnsafeMutablePointer<FILE>? {
    guard let file = try? RegularFile(path) else { return nil }
    let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 3)
    return descriptor < 0 ? nil : unsafe fdopen(descriptor, "rb")
  }
}
