import Foundation
public import TesseraSystem

/// Keeps what scans found, so that a file is not read again before it changes: a result by the
/// identity of its file, indexes by their content. Whatever goes wrong with it, files are scanned.
public struct ScanCache: Sendable {
  private let folder: String
  private let build: String
  private let largestSize: Int

  /// The most bytes that a cache holds; what was not used for longest goes first.
  public static let largestSize = 2 << 30

  /// The cache in `folder`, with results of the program's build `build` only.
  public init(_ folder: String, build: String, largestSize: Int = ScanCache.largestSize) {
    (self.folder, self.build, self.largestSize) = (folder, build, largestSize)
  }

  /// The user's cache folder for Tessera by `environment`; nil where that names none.
  public static func userFolder(
    _ environment: [String: String]
  ) -> String? {
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") {
      return "\(folder)/tessera"
    }
    return environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.cache/tessera" : nil }
  }

  private var store: IndexStore { IndexStore(folder) }

  /// What a scan of the file at `path` finds, from the cache where it was scanned before.
  ///
  /// - Throws: ``MediaError`` as ``MediaFile/scan(_:cancellation:)`` does.
  public func scan(_ path: String, cancellation: Cancellation) throws(MediaError) -> MediaScan {
    if let identity = FileIdentity(path), let known = read(identity, path) { return known }
    let scan = try MediaFile.scan(path, cancellation: cancellation)
    write(scan)
    return scan
  }

  private func name(_ identity: FileIdentity) -> String {
    var hash = PayloadHash()
    hash.add(
      Array(
        "\(build) \(identity.byteCount) \(identity.modified) \(identity.changed) "
          .utf8) + Array("\(identity.inode) \(identity.ends)".utf8))
    return "\(folder)/\(hash.text).scan.json"
  }

  private func read(_ identity: FileIdentity, _ path: String) -> MediaScan? {
    let name = name(identity)
    guard let data = FileManager.default.contents(atPath: name),
      var file = try? JSONDecoder().decode(MediaFile.self, from: data), file.identity == identity
    else { return nil }
    file.path = path
    var indexes: [Int: PacketIndex] = [:]
    for track in file.tracks where indexes[track.stream.index] == nil {
      guard let index = store.index(track.index) else { return nil }
      indexes[track.stream.index] = index
    }
    touch(name)
    return MediaScan(file: file, indexes: indexes)
  }

  private func write(_ scan: MediaScan) {
    do {
      for index in scan.indexes.values { try store.put(index) }
      let data = try JSONEncoder().encode(scan.file)
      try data.write(to: URL(fileURLWithPath: name(scan.file.identity)), options: .atomic)
      removeOldest()
    } catch {
      // A cache that cannot be written is none.
    }
  }

  private func touch(_ path: String) {
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
  }

  /// Removes what was not used for longest until the rest is small enough.
  private func removeOldest() {
    let keys: [URLResourceKey] = [.fileSizeKey, .contentModificationDateKey]
    let files = try? FileManager.default.contentsOfDirectory(
      at: URL(fileURLWithPath: folder), includingPropertiesForKeys: keys)
    let entries = (files ?? []).filter {
      $0.path.hasSuffix(".scan.json") || $0.path.hasSuffix(".tsix")
    }
    .compactMap { file -> (date: Date, size: Int, file: URL)? in
      guard let values = try? file.resourceValues(forKeys: Set(keys)),
        let date = values.contentModificationDate, let size = values.fileSize
      else { return nil }
      return (date, size, file)
    }
    var rest = entries.reduce(0) { $0 + $1.size }
    for entry in entries.sorted(by: { $0.date < $1.date }) where rest > largestSize {
      rest -= entry.size
      try? FileManager.default.removeItem(at: entry.file)
    }
  }
}
