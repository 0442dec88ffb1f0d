import Foundation
import Glibc

/// Keeps everybody else who takes it out of a folder for as long as it lives, however the process
/// ends.
package struct FolderLock: ~Copyable, Sendable {
  private let owner: OwnedDescriptor

  /// Takes the lock of `folder`, which is the file `lock` in it; nil where another process or
  /// another part of this one has it, and it is not to wait for that one.
  package static func take(
    _ folder: String, isWaiting: Bool = false
  ) throws(SystemError) -> FolderLock? {
    let path = "\(folder)/lock"
    let lock = FolderLock(
      owner: try OwnedDescriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW))
    while flock(lock.owner.number, isWaiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      if number == EWOULDBLOCK { return nil }
      throw SystemError("lock", path, number: number)
    }
    return lock
  }
}
