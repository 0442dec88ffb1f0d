package import Foundation
import Glibc

/// An append-only destination for lines: a plain file, which may already have content, or a pipe,
/// terminal or device, which is only written to.
///
/// Waits for other processes end as soon as the cancellation is requested.
package struct AppendOnlyFile: ~Copyable {
  /// The path as the user wrote it.
  package let path: String
  /// True for a plain file, which can be read, truncated and locked.
  package let isRegular: Bool
  private let owner: OwnedFileDescriptor
  private let cancellation: Cancellation

  /// The longest wait for a reader of a pipe.
  private static let patience = Duration.seconds(10)

  /// Opens `path`, and creates a plain file if nothing exists there.
  ///
  /// - Throws: ``SystemError``: `ENXIO` if `path` is a pipe without a reader, `ECANCELED` if the
  ///   cancellation was requested, or another error of opening.
  package init(_ path: String, _ cancellation: Cancellation) throws(SystemError) {
    (self.path, self.cancellation) = (path, cancellation)
    let kind = FileOperations.status(of: path).map { $0.st_mode & S_IFMT }
    isRegular = kind ?? S_IFREG == S_IFREG
    let flags = O_CREAT | O_APPEND | O_NONBLOCK | (isRegular ? O_RDWR : O_WRONLY)
    let isPipe = kind == S_IFIFO
    let start = ContinuousClock.now
    while true {
      do throws(SystemError) {
        owner = try OwnedFileDescriptor(opening: path, flags)
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

  /// Runs `body` while this process holds the lock of the plain file.
  package borrowing func locked<R>(
    _ body: () throws(SystemError) -> R
  ) throws(SystemError) -> R {
    guard owner.lock(cancellation) else { throw SystemError("lock", path, number: ECANCELED) }
    defer { flock(owner.number, LOCK_UN) }
    return try body()
  }

  /// Truncates a plain file to `size` bytes.
  package borrowing func cut(to size: Int) throws(SystemError) {
    guard ftruncate(owner.number, off_t(size)) == 0 else { throw SystemError("mend", path) }
  }

  /// Appends all of `data` and, for a plain file, flushes it to the disk.
  ///
  /// - Throws: ``SystemError``: `ECANCELED` if a pipe is full when the cancellation is requested.
  ///   The pipe may then contain a part of the data.
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
