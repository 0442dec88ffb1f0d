import Foundation
import Glibc

/// An exclusive lock on a folder, held as long as the value lives. The system releases the lock
/// however the process ends.
package struct FolderLock: ~Copyable, Sendable {
  private let owner: OwnedFileDescriptor

  /// Takes the lock of `folder`, an `flock` on the file `lock` in it. Returns `nil` if another
  /// process, or another part of this one, holds the lock for longer than `patience`.
  package static func take(
    _ folder: String, patience: Duration = .zero
  ) throws(SystemError) -> FolderLock? {
    let begin = ContinuousClock.now
    let path = "\(folder)/lock"
    let lock = FolderLock(
      owner: try OwnedFileDescriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW))
    while flock(lock.owner.number, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      guard number == EWOULDBLOCK else { throw SystemError("lock", path, number: number) }
      if .now - begin >= patience { return nil }
      usleep(5_000)
    }
    return lock
  }
}
