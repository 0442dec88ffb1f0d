import Glibc

/// The identity and version of a file: a value that changes with each write, but not with its name.
package struct FileVersion: Hashable, Sendable {
  /// The identity of the file, independent of its name.
  package let device, inode: UInt64
  package let byteCount: Int64
  /// The time of the last status change (`ctime`), in nanoseconds.
  package let changed: Int64

  /// Reads the state of the file at `path`, with links followed; `nil` if there is none.
  package init?(of path: String) {
    guard let status = FileOperations.status(of: path) else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    byteCount = Int64(status.st_size)
    changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
  }
}
