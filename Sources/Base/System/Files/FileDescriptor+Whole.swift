package import Foundation
import Glibc
package import SystemPackage

/// Functions that write complete data to descriptors and files.
extension FileDescriptor {
  /// Writes all of `data`; returns `errno` on failure, otherwise `nil`.
  package static func write(_ data: Data, to descriptor: CInt) -> CInt? {
    unsafe data.withUnsafeBytes { bytes in unsafe write(bytes, to: descriptor) }
  }

  /// Writes all of `bytes`; returns `errno` on failure, otherwise `nil`.
  @unsafe package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: CInt
  ) -> CInt? {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let count = unsafe Glibc.write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        // A pipe that its reader made non-blocking is full.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&ready, 1, -1)
        continue
      }
      guard count > 0 else { return errno }
      unsafe rest = rest.dropFirst(count)
    }
    return nil
  }

  /// Creates a file with `data` at `path`; returns `errno` on failure, otherwise `nil`.
  package static func write(_ data: Data, to path: String) -> CInt? {
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return errno }
    let failure = write(data, to: descriptor)
    return Glibc.close(descriptor) == 0 || failure != nil ? failure : errno
  }

  /// Makes the file system report the errors of closing the file (by closing a duplicate); returns
  /// `errno` on failure, otherwise `nil`.
  package static func settle(_ descriptor: CInt) -> CInt? {
    let copy = Glibc.dup(descriptor)
    return copy >= 0 && Glibc.close(copy) == 0 ? nil : errno
  }
}
