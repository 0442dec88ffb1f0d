import Foundation
import Glibc
package import TesseraRendering
import TesseraStorage
import TesseraSystem

/// A work folder of this machine in which one process makes or joins pieces for a bucket. What one
/// that was killed has left there is gone on with.
package struct ScratchWorkFolder: ~Copyable {
  package let folder: WorkFolder
  private let lock: FolderLock

  /// The first one of a work folder in a bucket that nobody has.
  package static func take(_ place: String, in cache: String) throws -> ScratchWorkFolder {
    StaleScratchFolders.empty(in: cache)
    let all = "\(cache)/work/\(SHA256.digest(Array(place.utf8)).prefix(16).hexadecimal)"
    for number in 0..<10_000 {
      let path = "\(all)/\(number)"
      try FileSystem.makeFolder(path)
      guard let lock = try FolderLock.take(path) else { continue }
      let folder = WorkFolder(path)
      try folder.make()
      return ScratchWorkFolder(folder: folder, lock: lock)
    }
    throw StorageError(.temporary, "too many processes work for \(place) here; wait for them.")
  }

  /// Removes all that is in it but its lock, which others may be about to take.
  package func empty() { StaleScratchFolders.empty(folder.path) }
}

/// Folders in the cache of what is fetched in which killed processes have left something, and with
/// which nobody has gone on.
package enum StaleScratchFolders {
  /// How long somebody may still go on with one.
  private static let seconds = 7 * 86_400

  /// Empties those that nobody has used for a week.
  package static func empty(in cache: String) {
    let folders =
      FileSystem.names(in: "\(cache)/outputs").map { "\(cache)/outputs/\($0)" }
      + FileSystem.names(in: "\(cache)/work").flatMap { name in
        FileSystem.names(in: "\(cache)/work/\(name)").map { "\(cache)/work/\(name)/\($0)" }
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

  /// Removes all that is in `folder` but its lock, which others may be about to take.
  package static func empty(_ folder: String) {
    for name in FileSystem.names(in: folder) where name != "lock" {
      try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
  }
}
