package import Glibc

/// A plain file that somebody has named, open for reading.
///
/// Whatever a user names is opened here: a pipe, a terminal or a device is refused and never waited
/// for, as reading it could last forever.
@safe package struct RegularFile: ~Copyable {
  /// The open file.
  package let descriptor: CInt
  private let path: String

  /// Opens the file at `path`.
  ///
  /// - Throws: where it cannot be opened, or is not a regular file.
  package init(_ path: String) throws(SystemError) {
    descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    self.path = path
    guard descriptor >= 0 else {
      // What nobody reads from at the moment, and a socket.
      let isSpecial = [ENXIO, ENODEV].contains(errno)
      throw SystemError("open", path, number: isSpecial ? SystemError.notRegular : errno)
    }
    guard try status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError("open", path, number: SystemError.notRegular)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Its size.
  package var byteCount: Int { get throws(SystemError) { Int(try status.st_size) } }

  /// What the system knows of it.
  package var status: stat {
    get throws(SystemError) {
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError("read", path) }
      return status
    }
  }

  /// At most `count` bytes from byte `offset` on.
  package borrowing func bytes(
    _ count: Int, from offset: Int = 0
  ) throws(SystemError) -> [UInt8] {
    let size = try byteCount
    // What changes meanwhile, and what the kernel makes up, may have more than it says.
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

  /// The first `count` bytes of the file at `path`.
  package static func bytes(_ path: String, atMost count: Int) throws(SystemError) -> [UInt8] {
    try RegularFile(path).bytes(count)
  }

  /// The file at `path` as a stream of the C library, for the caller to close; nil where it cannot
  /// be opened or is not a regular file.
  @unsafe package static func stream(_ path: String) -> UnsafeMutablePointer<FILE>? {
    guard let file = try? RegularFile(path) else { return nil }
    let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 3)
    return descriptor < 0 ? nil : unsafe fdopen(descriptor, "rb")
  }
}
