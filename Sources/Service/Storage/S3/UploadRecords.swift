import Foundation
import TesseraSystem

/// Records of the multipart uploads that processes of this user have open on this machine.
///
/// If a process is killed, the next process that writes the object aborts its upload. Uploads of
/// other machines and programs are in no record and stay untouched.
///
///     HASH-RANDOM/upload.json   an upload of the object with that hash
///     HASH-RANDOM/lock          locked while a process sends its parts
struct UploadRecords: Sendable {
  /// The folder of the records; `nil` disables recording.
  let folder: String?
  /// The server's address, or `aws`.
  let site: String
  /// The maximum wait for another process that accesses the records. After it, nothing is recorded
  /// and no upload is aborted.
  var patience = Duration.seconds(10)

  /// The record of one upload, locked as long as this object lives.
  final class Record: Sendable {
    let upload: S3Client.Upload
    private let path: String
    private let lock: FolderLock

    fileprivate init(_ upload: S3Client.Upload, _ path: String, _ lock: consuming FolderLock) {
      (self.upload, self.path) = (upload, path)
      self.lock = lock
    }

    /// Deletes the record of an upload that has ended.
    func remove() { FileOperations.removeFolder(path) }
  }

  private func prefix(_ bucket: String, _ key: String) -> String {
    let text = [site, bucket, key].joined(separator: "\n")
    return SHA256.digest(Array(text.utf8)).prefix(16).hexadecimal + "-"
  }

  /// Records an upload that has started. Returns `nil` if the record cannot be written.
  func add(_ upload: S3Client.Upload) -> Record? {
    withLock { folder in
      let path = "\(folder)/\(prefix(upload.bucket, upload.key))\(UUID().uuidString)"
      guard (try? FileOperations.makeFolder(path)) != nil,
        let lock = (try? FolderLock.take(path)) ?? nil,
        FileManager.default.createFile(
          atPath: "\(path)/upload.json", contents: CanonicalJSON.bytes(upload))
      else { return nil }
      return Record(upload, path, lock)
    } ?? nil
  }

  /// Returns the records of dead processes for keys of `bucket` that satisfy `isMeant`.
  func abandoned(_ bucket: String, where isMeant: (_ key: String) -> Bool) -> [Record] {
    guard let folder, FileOperations.isFolder(folder) else { return [] }
    return withLock { folder in
      FileOperations.names(in: folder).compactMap { name in
        let path = "\(folder)/\(name)"
        let bytes = FileManager.default.contents(atPath: "\(path)/upload.json") ?? Data()
        let upload: S3Client.Upload? = CanonicalJSON.value(bytes)
        let isWanted = upload.map {
          $0.bucket == bucket && isMeant($0.key) && name.hasPrefix(prefix(bucket, $0.key))
        }
        guard isWanted != false, let lock = (try? FolderLock.take(path)) ?? nil else { return nil }
        guard let upload else {
          FileOperations.removeFolder(path)
          return nil
        }
        return Record(upload, path, lock)
      }
    } ?? []
  }

  /// Calls `body` with the folder while no other process accesses the records. Returns `nil` if
  /// there is no folder or its lock is not available.
  private func withLock<Value>(_ body: (String) -> Value) -> Value? {
    guard let folder, (try? FileOperations.makeFolder(folder, private: true)) != nil,
      let lock = (try? FolderLock.take(folder, patience: patience)) ?? nil
    else { return nil }
    defer { withExtendedLifetime(lock) {} }
    return body(folder)
  }
}
