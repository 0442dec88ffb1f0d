import Foundation
import TesseraSystem

/// The uploads in parts that processes of this user have under way on this machine, so that the
/// next one that makes the same object ends what a killed one has left, and nothing else: what other
/// machines and programs have under way is in no record.
///
///     HASH-RANDOM/upload.json   an upload of the object that has that hash
///     HASH-RANDOM/lock          locked for as long as somebody sends its parts
struct UploadRecords: Sendable {
  /// The folder; nil for none, and nothing is recorded.
  let folder: String?
  /// The server.
  let site: String

  /// A record, which nobody else touches for as long as this lives.
  final class Record: Sendable {
    let upload: S3.Upload
    private let path: String
    private let lock: FolderLock

    fileprivate init(_ upload: S3.Upload, _ path: String, _ lock: consuming FolderLock) {
      (self.upload, self.path) = (upload, path)
      self.lock = lock
    }

    /// Forgets the upload, which is at its end.
    func remove() { FileSystem.removeFolder(path) }
  }

  private func prefix(_ bucket: String, _ key: String) -> String {
    let text = [site, bucket, key].joined(separator: "\n")
    return SHA256.digest(Array(text.utf8)).prefix(16).hexadecimal + "-"
  }

  /// Records an upload that has begun; nil where that cannot be written.
  func add(_ upload: S3.Upload) -> Record? {
    withLock { folder in
      let path = "\(folder)/\(prefix(upload.bucket, upload.key))\(UUID().uuidString)"
      guard (try? FileSystem.makeFolder(path)) != nil,
        let lock = (try? FolderLock.take(path)) ?? nil,
        FileManager.default.createFile(
          atPath: "\(path)/upload.json", contents: PlainJSON.bytes(upload))
      else { return nil }
      return Record(upload, path, lock)
    } ?? nil
  }

  /// The records of uploads of an object whose processes are dead.
  func abandoned(_ bucket: String, _ key: String) -> [Record] {
    let prefix = prefix(bucket, key)
    guard let folder, FileSystem.isFolder(folder) else { return [] }
    return withLock { folder in
      FileSystem.names(in: folder).filter { $0.hasPrefix(prefix) }.compactMap { name in
        let path = "\(folder)/\(name)"
        guard let lock = (try? FolderLock.take(path)) ?? nil else { return nil }
        let bytes = FileManager.default.contents(atPath: "\(path)/upload.json") ?? Data()
        guard let upload: S3.Upload = PlainJSON.value(bytes), upload.bucket == bucket,
          upload.key == key
        else {
          FileSystem.removeFolder(path)
          return nil
        }
        return Record(upload, path, lock)
      }
    } ?? []
  }

  /// Calls `body` while no other process makes a record or looks for those of the dead; nil where
  /// there is no folder.
  private func withLock<Value>(_ body: (String) -> Value) -> Value? {
    guard let folder, (try? FileSystem.makeFolder(folder, private: true)) != nil,
      let lock = (try? FolderLock.take(folder, isWaiting: true)) ?? nil
    else { return nil }
    defer { withExtendedLifetime(lock) {} }
    return body(folder)
  }
}
