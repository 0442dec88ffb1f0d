import Glibc

/// Which file it is, and in what state: what changes with every write, however a file is named.
package struct FileState: Hashable, Sendable {
  /// Where it is, whatever it is called.
  package let device, inode: UInt64
  /// Its size in bytes.
  package let byteCount: Int64
  /// When it was changed last, in nanoseconds.
  package let changed: Int64

  /// That of what `path` leads to; nil where there is nothing.
  package init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// That of an open file; nil where it cannot be told.
  package init?(of descriptor: CInt) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    byteCount = Int64(status.st_size)
    changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
  }
}
