import Foundation
import TesseraRendering
import TesseraStorage
import TesseraSystem

/// A work folder of this machine in which one process makes or joins pieces for a bucket. What one
/// that was killed has left there is gone on with.
struct ScratchWorkFolder: ~Copyable {
  let folder: WorkFolder
  private let lock: FolderLock

  /// The first one of a work folder in a bucket that nobody has.
  static func take(_ place: String, in cache: String) throws -> ScratchWorkFolder {
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
  func empty() {
    for name in FileSystem.names(in: folder.path) where name != "lock" {
      try? FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
    }
  }
}
