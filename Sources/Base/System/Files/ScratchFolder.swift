import Foundation
import Glibc

/// A temporary folder of this process. It is removed with the value or, if the process is killed,
/// by the next process that creates such a folder.
///
/// All scratch folders of a user are in one parent folder. Its lock is held while a scratch folder
/// is created and locked, and while folders without a lock are removed. So a new folder can never
/// be taken for a leftover one, nor the reverse.
package final class ScratchFolder: Sendable {
  package let path: String
  private let lock: FolderLock

  /// Creates an empty folder in the user's folder below `parent`, by default the system's folder
  /// for temporary files.
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

  /// Removes the folders whose lock is free, because their processes are dead.
  private static func removeLeftOver(in folder: String) {
    for name in FileOperations.names(in: folder) where name != "lock" {
      let path = "\(folder)/\(name)"
      guard let lock = (try? FolderLock.take(path)) ?? nil else { continue }
      remove(path)
      _ = consume lock
    }
  }

  private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// Returns this user's folder in `parent`, to which no other user can write. If another user took
  /// the name, a numbered name is used.
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
