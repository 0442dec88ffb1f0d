import Foundation
import Glibc

/// A file or folder in the making beside the one that it becomes.
///
/// Its name is `.NAME.RANDOM.part`: nobody else writes it, in whatever process of whatever machine.
/// It is locked for as long as somebody writes it, so that what the dead have left can be told from
/// what is alive.
package struct TemporaryFile: Sendable {
  /// Where it is.
  package let path: String
  /// What it is written through, for as long as somebody has this value.
  package var descriptor: CInt { owner.number }
  private let owner: SharedDescriptor

  /// What file systems allow of a name, less what is added to it.
  private static let longestName = 200

  /// Makes an empty file that is to become `path`.
  package static func make(for path: String) throws(SystemError) -> TemporaryFile {
    try make(for: path, "make the file") { temporary in
      unsafe open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    }
  }

  /// Makes an empty folder that is to become `path`.
  package static func makeFolder(for path: String) throws(SystemError) -> TemporaryFile {
    try make(for: path, "make the folder") { temporary in
      guard unsafe mkdir(temporary, 0o777) == 0 else { return -1 }
      return unsafe open(temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    }
  }

  private static func make(
    for path: String, _ operation: String, opening: (String) -> CInt
  ) throws(SystemError) -> TemporaryFile {
    while true {
      let number = String(UInt64.random(in: .min ... .max), radix: 36)
      let temporary = "\(prefix(of: path))\(number).part"
      let owner: SharedDescriptor
      do throws(SystemError) {
        owner = SharedDescriptor(try OwnedDescriptor(opening(temporary), operation, temporary))
      } catch {
        if [EEXIST, EINTR].contains(error.number) { continue }
        throw error
      }
      // Where there are no locks, nobody takes it for abandoned.
      _ = flock(owner.number, LOCK_EX)
      // Whoever removes what is abandoned may have been there before the lock.
      var status = stat()
      if unsafe fstat(owner.number, &status) == 0, status.st_nlink > 0 {
        return TemporaryFile(path: temporary, owner: owner)
      }
    }
  }

  /// What the paths of files begin with that are to become `path`.
  private static func prefix(of path: String) -> String {
    let url = URL(fileURLWithPath: path)
    var name = url.lastPathComponent
    while name.utf8.count > longestName { name.removeLast() }
    return "\(url.deletingLastPathComponent().path)/.\(name)."
  }

  /// Removes the files and folders that were to become `path` and that nobody writes any more.
  package static func removeAbandoned(for path: String) {
    let prefix = URL(fileURLWithPath: prefix(of: path))
    removeAbandoned(in: prefix.deletingLastPathComponent().path) {
      $0.hasPrefix(prefix.lastPathComponent)
    }
  }

  /// Removes the files and folders in the making from `folder` that nobody writes any more, of those whose
  /// names are `meant`.
  package static func removeAbandoned(
    in folder: String, where meant: (String) -> Bool = { _ in true }
  ) {
    for name in FileSystem.names(in: folder) where name.hasSuffix(".part") && meant(name) {
      let path = "\(folder)/\(name)"
      let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
      guard let owner = try? OwnedDescriptor(opening: path, flags) else { continue }
      if flock(owner.number, LOCK_EX | LOCK_NB) == 0 {
        if FileSystem.isFolder(path) { FileSystem.removeFolder(path) }
        FileSystem.remove(path)
      }
    }
  }
}
