import Foundation
import Glibc
import TesseraSystem
import TesseraTimeline

/// A cache of scan results, so that an unchanged file is not scanned again. Results are keyed by
/// ``FileIdentity``, packet indexes by their content. Errors of the cache are ignored, and the file
/// is scanned.
package struct ScanCache: Sendable {
  private let folder: String
  private let build: String
  private let largestSize: Int
  /// True if an entry was written since the last ``removeOldest()``.
  private let hasGrown = ConditionLock(false)

  /// The default maximum size of a cache, in bytes. The least recently used entries are removed
  /// first.
  package static let largestSize = 2 << 30

  /// Creates the cache in `folder`. Entries written by other builds than `build` are ignored.
  package init(_ folder: String, build: String, largestSize: Int = ScanCache.largestSize) {
    (self.folder, self.build, self.largestSize) = (folder, build, largestSize)
  }

  private var store: PacketIndexStore { PacketIndexStore(folder) }

  /// Returns the cached scan of the file at `path` and the findings stored with it; returns `nil`
  /// if there is none.
  package func known<Findings: Codable>(
    _ path: String, with findings: Findings.Type
  ) -> (scan: MediaScanResult, findings: Findings)? {
    guard let identity = FileIdentity(path) else { return nil }
    let name = self.path(identity)
    guard let record = load(name, as: ScanCacheRecord<Findings>.self),
      record.file.identity == identity
    else { return nil }
    var file = record.file
    file.path = path
    var indexes: [String: PacketIndex] = [:]
    for track in file.tracks where indexes[track.index] == nil {
      guard let index = store.index(track.index) else { return nil }
      indexes[track.index] = index
    }
    touch(name)
    for track in file.tracks { touch(store.path(track.index)) }
    return (MediaScanResult(file: file, indexes: indexes), record.findings)
  }

  /// Stores a scan and the `findings` derived from it. `identity` is the file's identity before the
  /// scan; if the file changed meanwhile, nothing is stored.
  package func keep(
    _ scan: MediaScanResult, with findings: some Codable, of identity: FileIdentity?
  ) {
    // A file that changed during the scan may have been read in an inconsistent state.
    guard scan.file.identity == identity, scan.file.isCertain else { return }
    save(ScanCacheRecord(file: scan.file, findings: findings), at: path(scan.file.identity)) {
      for index in scan.indexes.values {
        touch(store.path(try store.put(index)))
      }
    }
  }

  private func path(_ identity: FileIdentity) -> String {
    let key =
      "\(build) \(identity.byteCount) \(identity.modified) \(identity.changed) "
      + "\(identity.inode) \(identity.ends)"
    return "\(folder)/\(PayloadHasher(Array(key.utf8)).text).scan"
  }

  /// Returns the content of the entry at `path`; `nil` if there is none or it is damaged.
  private func load<Content: Decodable>(_ path: String, as type: Content.Type) -> Content? {
    FileManager.default.contents(atPath: path).flatMap(ScanCacheEntry.content).flatMap {
      CanonicalJSON.value($0, as: type)
    }
  }

  /// Writes an entry, after `prepare` has written the files to which it refers.
  private func save(_ content: some Encodable, at path: String, prepare: () throws -> Void = {}) {
    // An unwritable cache only costs time.
    guard let content = try? JSONEncoder().encode(content), (try? makeFolder()) != nil,
      (try? prepare()) != nil,
      (try? ScanCacheEntry.entry(of: content).write(
        to: URL(fileURLWithPath: path), options: .atomic))
        != nil
    else { return }
    hasGrown.update { $0 = true }
  }

  // MARK: What was heard

  private func path(of key: String) -> String {
    "\(folder)/\(SHA256.digest(Array("\(build) \(key)".utf8)).hexadecimal).heard"
  }

  /// Returns a cached finding; `nil` if there is none. `key` must contain everything that the
  /// finding depends on.
  package func finding<Finding: Decodable>(_ key: String, of type: Finding.Type) -> Finding? {
    let finding = load(path(of: key), as: type)
    if finding != nil { touch(path(of: key)) }
    return finding
  }

  /// Stores `finding` under `key`.
  package func keep(_ finding: some Encodable, as key: String) {
    save(finding, at: path(of: key))
  }

  /// Creates the folder, accessible to its owner only because recordings are private.
  private func makeFolder() throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }

  private func touch(_ path: String) {
    _ = unsafe utimensat(AT_FDCWD, path, nil, 0)
  }

  /// Removes the least recently used entries until the cache is at most `largestSize` bytes. Does
  /// nothing if no entry was written since the last call.
  package func removeOldest() {
    let mayBeTooLarge = hasGrown.withLock { hasGrown in
      defer { hasGrown = false }
      return hasGrown
    }
    guard mayBeTooLarge else { return }
    let entries = FileOperations.names(in: folder)
      .filter { name in [".scan", ".tsix", ".heard"].contains { name.hasSuffix($0) } }
      .compactMap { name in FileVersion(of: "\(folder)/\(name)").map { (state: $0, name: name) } }
    var rest = entries.reduce(0) { $0 +| $1.state.byteCount }
    guard rest > Int64(largestSize) else { return }
    for entry in entries.sorted(by: { $0.state.changed < $1.state.changed })
    where rest > Int64(largestSize) {
      rest = rest -| entry.state.byteCount
      FileOperations.remove("\(folder)/\(entry.name)")
    }
  }
}

extension MediaFileInfo {
  /// True if another scan would give an equal result. False if a read was interrupted or a decoder
  /// was missing, perhaps for lack of memory.
  fileprivate var isCertain: Bool {
    tracks.allSatisfy(\.isDecodable)
      && losses.allSatisfy { loss in
        if case .stoppedEarly = loss.cause { false } else { true }
      }
  }
}

/// The JSON that the cache stores for each file beside its packet indexes.
private struct ScanCacheRecord<Findings: Codable>: Codable {
  var file: MediaFileInfo
  var findings: Findings
}

/// The format of a cache file: the hash of the content, a newline, the content.
private enum ScanCacheEntry {
  private static let hashLength = 32

  static func entry(of content: Data) -> Data { Data("\(hash(content))\n".utf8) + content }

  /// Returns the content of `entry`; returns `nil` if the hash does not match.
  static func content(of entry: Data) -> Data? {
    guard entry.count > hashLength else { return nil }
    let content = Data(entry.dropFirst(hashLength + 1))
    return entry.prefix(hashLength) == Data(hash(content).utf8) ? content : nil
  }

  private static func hash(_ content: Data) -> String { PayloadHasher(Array(content)).text }
}
