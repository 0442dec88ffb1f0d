import Foundation
import Glibc

/// A folder for what a process needs for a while; it goes with the value, and where the process is
/// killed, with the next one that makes such a folder.
///
/// All those of a user lie in one folder, whose lock is held while one is made and locked, and
/// while those are removed that nobody holds the lock of. So there is no moment at which a new one
/// could be taken for one that was left over, or one that was left over for a new one.
package final class ScratchFolder: Sendable {
  /// Where it is.
  package let path: String
  private let lock: FolderLock

  /// Makes an empty folder in that of the user in `parent`; nil is the folder for temporary files.
  package init(in parent: String? = nil) throws(SystemError) {
    let temporary = URL(fileURLWithPath: parent ?? NSTemporaryDirectory()).path
    let all = try Self.folder(in: temporary)
    guard let making = try FolderLock.take(all, patience: .seconds(60)) else {
      throw SystemError("lock", all, number: EWOULDBLOCK)
    }
    Self.removeLeftOver(in: all)
    path = "\(all)/\(UUID().uuidString)"
    guard unsafe mkdir(path, 0o700) == 0 else { throw SystemError("make the folder", path) }
    guard let lock = try FolderLock.take(path) else {
      throw SystemError("lock", path, number: EWOULDBLOCK)
    }
    self.lock = lock
    _ = consume making
  }

  deinit { Self.remove(path) }

  /// Removes what nobody holds the lock of: its maker is dead.
  private static func removeLeftOver(in folder: String) {
    for name in FileSystem.names(in: folder) where name != "lock" {
      let path = "\(folder)/\(name)"
      guard let lock = (try? FolderLock.take(path)) ?? nil else { continue }
      remove(path)
      _ = consume lock
    }
  }

  private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// The folder of this user in `parent`: a folder, and nobody else's to write to. Where somebody
  /// else took its name, it has another.
  private static func folder(in parent: String) throws(SystemError) -> String {
    let user = geteuid()
    for number in 1...8 {
      let path = "\(parent)/tessera-\(user)" + (number == 1 ? "" : "-\(number)")
      let failure = unsafe mkdir(path, 0o700) == 0 ? 0 : errno
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else {
        throw SystemError("make the folder", path, number: failure)
      }
      if status.st_mode & S_IFMT == S_IFDIR, status.st_uid == user, status.st_mode & 0o022 == 0 {
        return path
      }
    }
    throw SystemError("make the folder", "\(parent)/tessera-\(user)", number: EEXIST)
  }
}
