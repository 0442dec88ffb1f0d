import Foundation
import Glibc
import TesseraMessages
package import TesseraRendering
import TesseraStorage
import TesseraSystem

/// A locked local work folder in which one process makes or joins pieces for a bucket. A process
/// that takes the folder of a killed process continues its work.
package struct LocalWorkFolder: ~Copyable {
  package let folder: WorkFolder
  private let lock: FolderLock

  /// Takes the first unlocked local folder for the bucket's work folder `place`.
  ///
  /// - Throws: a temporary ``StorageError`` if 10,000 folders are in use.
  package static func take(_ place: String, in cache: String) throws -> LocalWorkFolder {
    StaleFolderCleanup.empty(in: cache)
    let all = "\(cache)/work/\(SHA256.digest(Array(place.utf8)).prefix(16).hexadecimal)"
    for number in 0..<10_000 {
      let path = "\(all)/\(number)"
      try FileOperations.makeFolder(path)
      guard let lock = try FolderLock.take(path) else { continue }
      let folder = WorkFolder(path)
      try folder.make()
      return LocalWorkFolder(folder: folder, lock: lock)
    }
    throw StorageError(.temporary, "too many processes work for \(place) here; wait for them.")
  }

  /// Removes the folder's content except the lock file, which another process may be taking.
  package func empty() { StaleFolderCleanup.empty(folder.path) }
}

/// Cleanup of folders in the fetch cache that killed processes left behind.
package enum StaleFolderCleanup {
  /// Seconds after its last change during which a folder may still be continued: one week.
  private static let seconds = 7 * 86_400

  /// Empties unlocked output and work folders in `cache` that have not changed for a week.
  package static func empty(in cache: String) {
    let folders =
      FileOperations.names(in: "\(cache)/outputs").map { "\(cache)/outputs/\($0)" }
      + FileOperations.names(in: "\(cache)/work").flatMap { name in
        FileOperations.names(in: "\(cache)/work/\(name)").map { "\(cache)/work/\(name)/\($0)" }
      }
    for folder in folders {
      var status = stat()
      guard unsafe stat(folder, &status) == 0, status.st_mtim.tv_sec < time(nil) - seconds,
        let lock = (try? FolderLock.take(folder)) ?? nil
      else { continue }
      empty(folder)
      _ = consume lock
    }
  }

  /// Removes the content of `folder` except the lock file, which another process may be taking.
  package static func empty(_ folder: String) {
    for name in FileOperations.names(in: folder) where name != "lock" {
      try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
  }
}
