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
  /// The longest wait for another process that makes a record or looks for those of the dead; after
  /// it nothing is recorded, and nothing is ended.
  var patience = Duration.seconds(10)

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

  /// The records of uploads to keys of `bucket` that are meant, whose processes are dead.
  func abandoned(_ bucket: String, where isMeant: (_ key: String) -> Bool) -> [Record] {
    guard let folder, FileSystem.isFolder(folder) else { return [] }
    return withLock { folder in
      FileSystem.names(in: folder).compactMap { name in
        let path = "\(folder)/\(name)"
        let bytes = FileManager.default.contents(atPath: "\(path)/upload.json") ?? Data()
        let upload: S3.Upload? = PlainJSON.value(bytes)
        let isWanted = upload.map {
          $0.bucket == bucket && isMeant($0.key) && name.hasPrefix(prefix(bucket, $0.key))
        }
        guard isWanted != false, let lock = (try? FolderLock.take(path)) ?? nil else { return nil }
        guard let upload else {
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
      let lock = (try? FolderLock.take(folder, patience: patience)) ?? nil
    else { return nil }
    defer { withExtendedLifetime(lock) {} }
    return body(folder)
  }
}
