import Foundation
import Glibc
import TesseraSystem
import TesseraTimeline

/// Keeps what scans found, so that a file is not read again before it changes: a result by the
/// identity of its file, indexes by their content. Whatever goes wrong with it, files are scanned.
package struct ScanCache: Sendable {
  private let folder: String
  private let build: String
  private let largestSize: Int
  /// Whether something was put there since the oldest was last removed.
  private let hasGrown = Monitor(false)

  /// The most bytes that a cache holds; what was not used for longest goes first.
  package static let largestSize = 2 << 30

  /// The cache in `folder`, with results of the program's build `build` only.
  package init(_ folder: String, build: String, largestSize: Int = ScanCache.largestSize) {
    (self.folder, self.build, self.largestSize) = (folder, build, largestSize)
  }

  private var store: IndexStore { IndexStore(folder) }

  /// What an earlier scan of the file at `path` found, if it was scanned before, and the findings
  /// that were kept with it.
  package func known<Findings: Decodable>(
    _ path: String, with findings: Findings.Type
  ) -> (scan: MediaScan, findings: Findings)? {
    FileIdentity(path).flatMap { read($0, path) }
  }

  /// Keeps what a scan found of the file that was `identity` before it, with what was made of that.
  package func keep(_ scan: MediaScan, with findings: some Encodable, of identity: FileIdentity?) {
    // A file that was written to meanwhile was not read as it is now.
    guard scan.file.identity == identity, scan.file.isCertain else { return }
    write(scan, try? JSONEncoder().encode(ScanRecord(file: scan.file, findings: findings)))
  }

  private func path(_ identity: FileIdentity) -> String {
    var hash = PayloadHash()
    hash.add(
      Array(
        "\(build) \(identity.byteCount) \(identity.modified) \(identity.changed) "
          .utf8) + Array("\(identity.inode) \(identity.ends)".utf8))
    return "\(folder)/\(hash.text).scan"
  }

  private func read<Findings: Decodable>(
    _ identity: FileIdentity, _ path: String
  ) -> (scan: MediaScan, findings: Findings)? {
    let name = self.path(identity)
    guard let data = FileManager.default.contents(atPath: name),
      let content = ScanEntry.content(of: data),
      let record = try? JSONDecoder().decode(ScanRecord<Findings>.self, from: content),
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
    return (MediaScan(file: file, indexes: indexes), record.findings)
  }

  private func write(_ scan: MediaScan, _ record: Data?) {
    guard let record else { return }
    do {
      try makeFolder()
      for index in scan.indexes.values {
        // One that is there and damaged is written again.
        let name = try store.put(index)
        if !store.holds(name) {
          try FileManager.default.removeItem(atPath: store.path(name))
          try store.put(index)
        }
        touch(store.path(name))
      }
      let entry = ScanEntry.entry(of: record)
      let path = path(scan.file.identity)
      try entry.write(to: URL(fileURLWithPath: path), options: .atomic)
      hasGrown.update { $0 = true }
    } catch {
      // A cache that cannot be written is none.
    }
  }

  // MARK: What was heard

  private func path(of key: String) -> String {
    "\(folder)/\(SHA256.digest(Array("\(build) \(key)".utf8)).hexadecimal).heard"
  }

  /// What was found out before by the same `key`, which says all that it depends on.
  package func finding<Finding: Decodable>(_ key: String, of type: Finding.Type) -> Finding? {
    let path = path(of: key)
    guard let data = FileManager.default.contents(atPath: path),
      let content = ScanEntry.content(of: data),
      let finding = try? JSONDecoder().decode(Finding.self, from: content)
    else { return nil }
    touch(path)
    return finding
  }

  /// Keeps what was found out by `key`.
  package func keep(_ finding: some Encodable, as key: String) {
    guard let content = try? JSONEncoder().encode(finding) else { return }
    do {
      try makeFolder()
      try ScanEntry.entry(of: content).write(
        to: URL(fileURLWithPath: path(of: key)), options: .atomic)
      hasGrown.update { $0 = true }
    } catch {
      // A cache that cannot be written is none.
    }
  }

  /// Makes the folder: what people record is nobody else's concern.
  private func makeFolder() throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }

  private func touch(_ path: String) {
    _ = unsafe utimensat(AT_FDCWD, path, nil, 0)
  }

  /// Removes what was not used for longest until the rest is small enough, if something was put
  /// there since.
  package func removeOldest() {
    let mayBeTooLarge = hasGrown.withLock { hasGrown in
      defer { hasGrown = false }
      return hasGrown
    }
    guard mayBeTooLarge else { return }
    let entries = FileSystem.names(in: folder)
      .filter { name in [".scan", ".tsix", ".heard"].contains { name.hasSuffix($0) } }
      .compactMap { name in FileState(of: "\(folder)/\(name)").map { (state: $0, name: name) } }
    var rest = entries.reduce(0) { $0 +| $1.state.byteCount }
    guard rest > Int64(largestSize) else { return }
    for entry in entries.sorted(by: { $0.state.changed < $1.state.changed })
    where rest > Int64(largestSize) {
      rest = rest -| entry.state.byteCount
      FileSystem.remove("\(folder)/\(entry.name)")
    }
  }
}

extension MediaFile {
  /// Whether another scan is sure to find the same: a reading that was broken off may go on the
  /// next time, and a decoder that had no memory may have it.
  fileprivate var isCertain: Bool {
    tracks.allSatisfy(\.isDecodable)
      && losses.allSatisfy { loss in
        if case .stoppedEarly = loss.cause { false } else { true }
      }
  }
}

/// What the cache keeps of a file beside its indexes.
private struct ScanRecord<Findings> {
  var file: MediaFile
  var findings: Findings
}

extension ScanRecord: Encodable where Findings: Encodable {}
extension ScanRecord: Decodable where Findings: Decodable {}

/// A file of the cache: the hash of its content in a line, then the content.
private enum ScanEntry {
  private static let hashLength = 32

  static func entry(of content: Data) -> Data { Data("\(hash(content))\n".utf8) + content }

  /// The content; nil where it is not what was written.
  static func content(of entry: Data) -> Data? {
    guard entry.count > hashLength else { return nil }
    let content = Data(entry.dropFirst(hashLength + 1))
    return entry.prefix(hashLength) == Data(hash(content).utf8) ? content : nil
  }

  private static func hash(_ content: Data) -> String {
    var hash = PayloadHash()
    hash.add(Array(content))
    return hash.text
  }
}
