import CTesseraSystem
package import Foundation
import Glibc
import SystemPackage

/// The owner of an open file, pipe or socket, which closes it at the end of its life.
///
/// The system reuses a descriptor's number as soon as it is closed. So no code keeps a number for
/// longer than its owner lives, and only this folder closes descriptors or shuts them down.
@safe package struct OwnedFileDescriptor: ~Copyable, Sendable {
  /// The descriptor's number, valid as long as this value lives.
  package let number: CInt

  /// Takes ownership of a descriptor that a system call has just returned.
  ///
  /// - Throws: ``SystemError`` from `errno` if `number` is below 0.
  package init(_ number: CInt, _ operation: String, _ path: String) throws(SystemError) {
    guard number >= 0 else { throw SystemError(operation, path) }
    self.number = number
  }

  /// Opens the file at `path`. Child processes do not inherit it.
  package init(
    opening path: String, _ flags: CInt, mode: UInt32 = 0o666, _ operation: String = "open"
  ) throws(SystemError) {
    try self.init(unsafe open(path, flags | O_CLOEXEC | O_NOCTTY, mode), operation, path)
  }

  deinit { Glibc.close(number) }

  /// Writes all of `data`. `path` names the file in errors.
  package borrowing func write(_ data: Data, _ path: String) throws(SystemError) {
    guard let number = FileDescriptor.write(data, to: number) else { return }
    throw SystemError("write", path, number: number)
  }

  /// Waits for the `flock` of the file; returns false if the cancellation was requested.
  package func lock(_ cancellation: Cancellation) -> Bool {
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      // Without support for locks, no other process has one.
      guard errno == EWOULDBLOCK || errno == EINTR else { return true }
      guard !cancellation.isCancelled else { return false }
      usleep(20_000)
    }
    return true
  }
}

/// A descriptor that several threads share; the last reference closes it.
package final class SharedFileDescriptor: Sendable {
  private let owner: OwnedFileDescriptor

  /// Takes over the descriptor of `owner`.
  package init(_ owner: consuming OwnedFileDescriptor) { self.owner = owner }

  /// The descriptor's number, valid as long as this object lives.
  package var number: CInt { owner.number }

  package static func pipe() throws(SystemError) -> (
    reading: SharedFileDescriptor, writing: SharedFileDescriptor
  ) {
    let pair = try pair("a pipe") { unsafe csys_pipe(&$0) }
    return (reading: pair.0, writing: pair.1)
  }

  /// Creates a pair of connected stream sockets.
  package static func sockets() throws(SystemError) -> (SharedFileDescriptor, SharedFileDescriptor)
  {
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    return try pair("a socket") { unsafe socketpair(AF_UNIX, kind, 0, &$0) }
  }

  /// Creates two descriptors with `make`; `what` names them in errors.
  private static func pair(
    _ what: String, _ make: (inout [CInt]) -> CInt
  ) throws(SystemError) -> (SharedFileDescriptor, SharedFileDescriptor) {
    var ends: [CInt] = [-1, -1]
    guard make(&ends) == 0 else { throw SystemError("make", what) }
    let owners = try ends.map { number throws(SystemError) in
      SharedFileDescriptor(try OwnedFileDescriptor(number, "make", what))
    }
    return (owners[0], owners[1])
  }

  /// Shuts down the connection: readers at both ends get the end of the stream, and nothing more
  /// can be sent.
  package func shutDown() { _ = shutdown(number, CInt(SHUT_RDWR)) }
}
