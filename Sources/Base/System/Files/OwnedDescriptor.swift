import CTesseraSystem
package import Foundation
import Glibc
import SystemPackage

/// The one owner of an open file, pipe or socket, which is closed at the end of the owner's life.
///
/// The system gives a number to somebody else as soon as it is closed. Nobody keeps one for longer
/// than its owner, and nothing outside of this folder closes one or shuts it down.
@safe package struct OwnedDescriptor: ~Copyable, Sendable {
  /// The system's number of it, good for as long as this value lives.
  package let number: CInt

  /// Owns what a call into the system has just opened.
  ///
  /// - Throws: the system's error, where `number` is below 0.
  package init(_ number: CInt, _ operation: String, _ path: String) throws(SystemError) {
    guard number >= 0 else { throw SystemError(operation, path) }
    self.number = number
  }

  /// Opens the file at `path`; programs that this one starts do not get it.
  package init(
    opening path: String, _ flags: CInt, mode: UInt32 = 0o666, _ operation: String = "open"
  ) throws(SystemError) {
    try self.init(unsafe open(path, flags | O_CLOEXEC | O_NOCTTY, mode), operation, path)
  }

  deinit { Glibc.close(number) }

  /// Writes all of `data` to the file, which is called `path`.
  package borrowing func write(_ data: Data, _ path: String) throws(SystemError) {
    guard let number = FileDescriptor.write(data, to: number) else { return }
    throw SystemError("write", path, number: number)
  }

  /// Waits for the lock on the file; false once the cancellation is asked for.
  package func lock(_ cancellation: Cancellation) -> Bool {
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      // Where there are no locks, nobody has one.
      guard errno == EWOULDBLOCK || errno == EINTR else { return true }
      guard !cancellation.isCancelled else { return false }
      usleep(20_000)
    }
    return true
  }
}

/// An owner that several threads have; the last one closes.
package final class SharedDescriptor: Sendable {
  private let owner: OwnedDescriptor

  /// Shares what `owner` owns.
  package init(_ owner: consuming OwnedDescriptor) { self.owner = owner }

  /// The system's number of it, good for as long as this object lives.
  package var number: CInt { owner.number }

  /// Makes a pipe.
  package static func pipe() throws(SystemError) -> (
    reading: SharedDescriptor, writing: SharedDescriptor
  ) {
    let pair = try pair("a pipe") { unsafe csys_pipe(&$0) }
    return (reading: pair.0, writing: pair.1)
  }

  /// Makes two sockets that are connected.
  package static func sockets() throws(SystemError) -> (SharedDescriptor, SharedDescriptor) {
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    return try pair("a socket") { unsafe socketpair(AF_UNIX, kind, 0, &$0) }
  }

  private static func pair(
    _ what: String, _ make: (inout [CInt]) -> CInt
  ) throws(SystemError) -> (SharedDescriptor, SharedDescriptor) {
    var ends: [CInt] = [-1, -1]
    guard make(&ends) == 0 else { throw SystemError("make", what) }
    let owners = try ends.map { number throws(SystemError) in
      SharedDescriptor(try OwnedDescriptor(number, "make", what))
    }
    return (owners[0], owners[1])
  }

  /// Ends a conversation: whoever reads at either end finds its end, and nothing is sent any more.
  package func shutDown() { _ = shutdown(number, CInt(SHUT_RDWR)) }
}
