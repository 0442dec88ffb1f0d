import Foundation
import Glibc

/// Keeps everybody else who takes it out of a folder for as long as it lives, however the process
/// ends.
package struct FolderLock: ~Copyable, Sendable {
  private let descriptor: CInt

  private init(descriptor: CInt) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Takes the lock of `folder`, which is the file `lock` in it; nil where another process or
  /// another part of this one has it, and it is not to wait for that one.
  package static func take(
    _ folder: String, isWaiting: Bool = false
  ) throws(SystemError) -> FolderLock? {
    let path = "\(folder)/lock"
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw SystemError("open", path) }
    let lock = FolderLock(descriptor: descriptor)
    while flock(descriptor, isWaiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      if number == EWOULDBLOCK { return nil }
      throw SystemError("lock", path, number: number)
    }
    return lock
  }
}
