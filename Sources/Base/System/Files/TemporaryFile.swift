import Foundation
import Glibc

/// A file or folder that is being written next to its final path.
///
/// The name `.NAME.RANDOM.part` is unique across processes and machines. The file is locked while
/// it is being written, which distinguishes it from the leftovers of dead processes.
package struct TemporaryFile: Sendable {
  /// The temporary path.
  package let path: String
  /// The open descriptor, valid as long as this value lives.
  package var descriptor: CInt { owner.number }
  private let owner: SharedFileDescriptor

  /// The longest part of the final name that is used, in bytes: the limit of file systems less the
  /// additions.
  private static let longestName = 200

  /// Creates an empty file that will become `path`.
  package static func make(for path: String) throws(SystemError) -> TemporaryFile {
    try make(for: path, "make the file") { temporary in
      unsafe open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    }
  }

  /// Creates an empty folder that will become `path`.
  package static func makeFolder(for path: String) throws(SystemError) -> TemporaryFile {
    try make(for: path, "make the folder") { temporary in
      guard unsafe mkdir(temporary, 0o777) == 0 else { return -1 }
      return unsafe open(temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    }
  }

  /// Creates a uniquely named file or folder with `opening` and locks it.
  private static func make(
    for path: String, _ operation: String, opening: (String) -> CInt
  ) throws(SystemError) -> TemporaryFile {
    while true {
      let number = String(UInt64.random(in: .min ... .max), radix: 36)
      let temporary = "\(prefix(of: path))\(number).part"
      let owner: SharedFileDescriptor
      do throws(SystemError) {
        owner = SharedFileDescriptor(
          try OwnedFileDescriptor(opening(temporary), operation, temporary))
      } catch {
        if [EEXIST, EINTR].contains(error.number) { continue }
        throw error
      }
      // Without support for locks, no process takes the file for abandoned.
      _ = flock(owner.number, LOCK_EX)
      // A concurrent cleanup may have removed the file before it was locked.
      var status = stat()
      if unsafe fstat(owner.number, &status) == 0, status.st_nlink > 0 {
        return TemporaryFile(path: temporary, owner: owner)
      }
    }
  }

  /// Returns the common prefix of the temporary names for `path`.
  private static func prefix(of path: String) -> String {
    let url = URL(fileURLWithPath: path)
    var name = url.lastPathComponent
    while name.utf8.count > longestName { name.removeLast() }
    return "\(url.deletingLastPathComponent().path)/.\(name)."
  }

  /// Removes the temporary files and folders for `path` whose writers are dead.
  package static func removeAbandoned(for path: String) {
    let prefix = URL(fileURLWithPath: prefix(of: path))
    removeAbandoned(in: prefix.deletingLastPathComponent().path) {
      $0.hasPrefix(prefix.lastPathComponent)
    }
  }

  /// Removes the temporary files and folders in `folder` whose writers are dead and whose names
  /// satisfy `meant`.
  package static func removeAbandoned(
    in folder: String, where meant: (String) -> Bool = { _ in true }
  ) {
    for name in FileOperations.names(in: folder) where name.hasSuffix(".part") && meant(name) {
      let path = "\(folder)/\(name)"
      let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
      guard let owner = try? OwnedFileDescriptor(opening: path, flags) else { continue }
      if flock(owner.number, LOCK_EX | LOCK_NB) == 0 {
        if FileOperations.isFolder(path) { FileOperations.removeFolder(path) }
        FileOperations.remove(path)
      }
    }
  }
}
