import CTesseraSystem
import Foundation
import Glibc
import TesseraTimeline

/// The files below one folder, without escapes through links or `..`.
package struct ConfinedFolder: Sendable {
  /// The real path of the folder, without links.
  package let root: String

  /// Creates the view of the folder `root`; throws ``SystemError`` if it is not a folder.
  package init(_ root: String) throws(SystemError) {
    guard let real = FileOperations.realPath(root) else { throw SystemError("open", root) }
    guard FileOperations.isFolder(real) else {
      throw SystemError("open", root, number: ENOTDIR)
    }
    self.root = real
  }

  /// Returns true if `path`, or its target if it is a link, is outside of the root; false if it
  /// cannot be read at all.
  package func isOutside(_ path: String) -> Bool {
    do throws(SystemError) {
      try require(path)
      return false
    } catch {
      return ![ENOENT, ENOTDIR, EACCES, EPERM, ENXIO].contains(error.number)
    }
  }

  /// Verifies that the file `path` is readable and below the root.
  ///
  /// - Throws: ``SystemError``: `EXDEV` if the file, or a link on the way to it, is outside.
  package func require(_ path: String) throws(SystemError) {
    let folder = try OwnedFileDescriptor(unsafe csys_open_path(root), "open", root)
    let relative = try relativePath(path)
    do throws(SystemError) {
      _ = try OwnedFileDescriptor(unsafe csys_open_beneath(folder.number, relative), "open", path)
      return
    } catch {
      guard error.number == ENOSYS else { throw error }
    }
    // A kernel before 5.6 needs two steps, which is not atomic.
    guard let real = FileOperations.realPath(path) else { throw SystemError("open", path) }
    _ = try relativePath(real)
  }

  /// Returns the path relative to the root. A relative `path` starts at the current folder.
  private func relativePath(_ path: String) throws(SystemError) -> String {
    let absolute =
      path.isAbsolutePath ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    // Links are allowed in the path to the root folder, but the rest must not leave it.
    let parts = absolute.pathParts
    for count in (0..<parts.count).reversed() {
      let folder = "/" + parts.prefix(count).joined(separator: "/")
      if FileOperations.areSame(folder, root) {
        return parts.dropFirst(count).joined(separator: "/")
      }
    }
    throw SystemError("open", path, number: EXDEV)
  }
}
