import Glibc

/// Queries about the file systems of paths.
package enum FileSystemInfo {
  /// Returns the number of free bytes in the file system of `path`; `nil` if unknown.
  package static func freeBytes(at path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    let (bytes, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: status.f_frsize))
    return overflow ? .max : bytes
  }

  /// Formats `bytes` (at least 0) in megabytes with one decimal.
  ///
  /// Callers round free space down and needed space up, so that the two never look equal if space
  /// is insufficient.
  package static func megabytes(_ bytes: Int, _ rule: FloatingPointRoundingRule) -> String {
    let tenths = bytes / 100_000 + (rule == .up && bytes % 100_000 > 0 ? 1 : 0)
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns the device number of the file system of `path`; `nil` if the path does not exist.
  package static func number(at path: String) -> UInt64? {
    FileOperations.status(of: path).map { UInt64($0.st_dev) }
  }

  /// Returns the number of free inodes in the file system of `path`; `nil` if it has no limit or is
  /// unknown.
  package static func freeFiles(at path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0, status.f_files > 0 else { return nil }
    return Int(clamping: status.f_favail)
  }
}
