import Glibc

/// The file systems that folders lie on.
package enum Disk {
  /// The bytes that may still be written to the file system with `path`; nil where that is
  /// unknown.
  package static func freeBytes(at path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    let (bytes, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: status.f_frsize))
    return overflow ? .max : bytes
  }

  /// `bytes`, 0 or more, in megabytes with one decimal. Free space is rounded down, and space that is
  /// needed up, so that the two never look equal where there is too little.
  package static func megabytes(_ bytes: Int, _ rule: FloatingPointRoundingRule) -> String {
    let tenths = bytes / 100_000 + (rule == .up && bytes % 100_000 > 0 ? 1 : 0)
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// What distinguishes the file system with `path` from others; nil where there is no such path.
  package static func number(at path: String) -> UInt64? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? UInt64(status.st_dev) : nil
  }

  /// How many files more the file system with `path` has room for; nil where it has no such limit,
  /// or that is unknown.
  package static func freeFiles(at path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0, status.f_files > 0 else { return nil }
    return Int(clamping: status.f_favail)
  }
}
