import CTesseraSystem
import Foundation
import Glibc
import TesseraTimeline

/// The files beneath one folder, which no link and no `..` leads out of.
package struct RootedFiles: Sendable {
  /// The folder, without links.
  package let root: String

  /// The files beneath `root`.
  package init(_ root: String) throws(SystemError) {
    guard let real = FileSystem.realPath(root) else { throw SystemError("open", root) }
    guard FileSystem.isFolder(real) else {
      throw SystemError("open", root, number: ENOTDIR)
    }
    self.root = real
  }

  /// Whether the file `path`, or what it is a link to, lies elsewhere; false where there is nothing
  /// to read.
  package func isOutside(_ path: String) -> Bool {
    do throws(SystemError) {
      try require(path)
      return false
    } catch {
      return ![ENOENT, ENOTDIR, EACCES, EPERM, ENXIO].contains(error.number)
    }
  }

  /// Makes sure that the file `path` can be read and lies beneath the root.
  ///
  /// - Throws: `EXDEV` where it, or a link that leads to it, lies elsewhere.
  package func require(_ path: String) throws(SystemError) {
    let folder = try OwnedDescriptor(unsafe csys_open_path(root), "open", root)
    let relative = try relativePath(path)
    do throws(SystemError) {
      _ = try OwnedDescriptor(unsafe csys_open_beneath(folder.number, relative), "open", path)
      return
    } catch {
      guard error.number == ENOSYS else { throw error }
    }
    // A kernel before 5.6: the same question, though not in one step.
    guard let real = FileSystem.realPath(path) else { throw SystemError("open", path) }
    _ = try relativePath(real)
  }

  /// The way from the root to `path`. A relative path begins at the current folder.
  private func relativePath(_ path: String) throws(SystemError) -> String {
    let absolute =
      path.isAbsolutePath ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    // What leads to the folder may hold links, as may the root's own name; the rest may not lead
    // out.
    let parts = absolute.pathParts
    for count in (0..<parts.count).reversed() {
      let folder = "/" + parts.prefix(count).joined(separator: "/")
      if FileSystem.areSame(folder, root) {
        return parts.dropFirst(count).joined(separator: "/")
      }
    }
    throw SystemError("open", path, number: EXDEV)
  }
}
