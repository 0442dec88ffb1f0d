package import Foundation
import Glibc

/// Where lines are added: a plain file, which may have some, or a pipe, a terminal or a device,
/// which is only written to.
///
/// No wait for another process is longer than the cancellation allows.
package struct AppendedFile: ~Copyable {
  /// What the user calls it.
  package let path: String
  /// Whether it is a plain file, which can be read, cut and locked.
  package let isRegular: Bool
  private let owner: OwnedDescriptor
  private let cancellation: Cancellation

  /// How long a pipe may have no reader.
  private static let patience = Duration.seconds(10)

  /// Opens what is at `path`; makes a file where there is nothing.
  ///
  /// - Throws: where it cannot be opened, `ENXIO` where nobody reads from the pipe that it is, and
  ///   `ECANCELED` once the cancellation is asked for.
  package init(_ path: String, _ cancellation: Cancellation) throws(SystemError) {
    (self.path, self.cancellation) = (path, cancellation)
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    isRegular = !exists || status.st_mode & S_IFMT == S_IFREG
    let flags = O_CREAT | O_APPEND | O_NONBLOCK | (isRegular ? O_RDWR : O_WRONLY)
    let isPipe = exists && status.st_mode & S_IFMT == S_IFIFO
    let start = ContinuousClock.now
    while true {
      do throws(SystemError) {
        owner = try OwnedDescriptor(opening: path, flags)
        break
      } catch {
        guard isPipe, error.number == ENXIO, .now - start < Self.patience else { throw error }
      }
      guard !cancellation.isCancelled else {
        throw SystemError("open", path, number: ECANCELED)
      }
      usleep(20_000)
    }
  }

  /// Runs `body` while no other process that asks for the lock of this plain file has it.
  package borrowing func locked<R>(
    _ body: () throws(SystemError) -> R
  ) throws(SystemError) -> R {
    guard owner.lock(cancellation) else { throw SystemError("lock", path, number: ECANCELED) }
    defer { flock(owner.number, LOCK_UN) }
    return try body()
  }

  /// Cuts a plain file to `size` bytes.
  package borrowing func cut(to size: Int) throws(SystemError) {
    guard ftruncate(owner.number, off_t(size)) == 0 else { throw SystemError("mend", path) }
  }

  /// Adds all of `data`, and has a plain file on the disk then.
  ///
  /// - Throws: `ECANCELED` where a pipe is full when the cancellation is asked for; a part of the
  ///   data may be in it then.
  package borrowing func add(_ data: Data) throws(SystemError) {
    var rest = data[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(owner.number, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        guard !cancellation.isCancelled else {
          throw SystemError("write", path, number: ECANCELED)
        }
        var room = pollfd(fd: owner.number, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&room, 1, 100)
      } else if count < 0, errno == EINTR {
        continue
      } else {
        throw SystemError("write", path)
      }
    }
    guard fdatasync(owner.number) == 0 || [EINVAL, EROFS].contains(errno) else {
      throw SystemError("write", path)
    }
  }
}
