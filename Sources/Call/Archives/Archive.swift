import Foundation
package import TesseraSystem
import TesseraTimeline

/// How much of an archive is unpacked.
package struct ArchiveLimits: Hashable, Sendable, Codable {
  /// The most bytes of all files together.
  package var bytes: Int64 = 64 << 30
  /// The most files and folders.
  package var files = 10_000
  /// How many times larger than the archive the files may be; media hardly shrink.
  package var ratio: Int64 = 100
  /// Below that many bytes any ratio will do.
  package var harmlessBytes: Int64 = 64 << 20

  /// The usual limits, with at most `bytes`.
  package init(bytes: Int64 = 64 << 30) { self.bytes = bytes }

  /// The most bytes that an archive of `size` bytes may hold.
  func most(ofArchive size: Int64) -> Int64 {
    let (product, overflows) = size.multipliedReportingOverflow(by: ratio)
    return min(bytes, overflows ? .max : max(harmlessBytes, product))
  }
}

/// Why an archive is not unpacked: one sentence.
package struct ArchiveError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The archive.
  package let path: String
  /// What is wrong with it.
  package let reason: Message

  /// The error that the archive at `path` is not unpacked for `reason`.
  package init(path: String, reason: Message) { (self.path, self.reason) = (path, reason) }

  /// The sentence, with options as values.
  package var sentence: Message { "\(path) cannot be unpacked: \(reason)." }
  package var description: String { sentence.commandLine }
}

/// A .zip archive.
package struct Archive: Sendable {
  /// Where it is.
  package let path: String
  /// How much of it is unpacked.
  package let limits: ArchiveLimits
  private let size: Int64

  /// What is in an archive.
  package struct Entry: Hashable, Sendable {
    /// Its path with `/` between the parts; never absolute, never with `..`.
    package var path: String
    /// Its size in bytes, where the archive says it.
    package var size: Int64?
    /// Whether it is a folder.
    package var isFolder: Bool
  }

  /// What could be read of an archive.
  package struct Contents: Hashable, Sendable {
    /// The entries in their order.
    package var entries: [Entry]
    /// What people should know: that it ends too early, that an entry is damaged.
    package var notes: [String]
  }

  /// The archive at `path`.
  package init(_ path: String, limits: ArchiveLimits = ArchiveLimits()) {
    self.path = path
    self.limits = limits
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    size = (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }

  /// Whether the file at `path` begins as a .zip does.
  package static func isArchive(_ path: String) -> Bool {
    guard let start = try? RegularFile.bytes(path, atMost: 4) else { return false }
    return [[0x50, 0x4b, 3, 4], [0x50, 0x4b, 5, 6]].contains(start)
  }

  /// What is in it. Nothing is written.
  ///
  /// - Throws: where it is not an archive, holds what is not unpacked, or more than the limits allow.
  package func contents() throws(ArchiveError) -> Contents {
    var reader = try open()
    var check = ArchiveCheck()
    var contents = Contents(entries: [], notes: [])
    var total: Int64 = 0
    while true {
      let header: ArchiveReader.Header?
      do throws(ArchiveReader.Failure) {
        header = try reader.next()
      } catch {
        guard !contents.entries.isEmpty else { throw failure(error) }
        contents.notes.append(truncation)
        break
      }
      guard let header else { break }
      guard !header.isEncrypted else { throw wrong("it is encrypted") }
      switch check.entry(header) {
      case .failure(let reason): throw wrong(Message(reason.words))
      case .success(nil): continue
      case .success(let entry?):
        contents.entries.append(entry)
        guard contents.entries.count <= limits.files else {
          throw wrong("it holds more than \(limits.files) files")
        }
        let (sum, overflows) = total.addingReportingOverflow(max(0, entry.size ?? 0))
        guard !overflows, sum <= limits.most(ofArchive: size) else { throw tooLarge }
        total = sum
      }
    }
    if let reason = check.conflict { throw wrong(Message(reason)) }
    return contents
  }

  /// Unpacks everything into `folder`, which is made where it is missing and should be empty.
  /// Returns the files that are whole, and what people should know.
  ///
  /// - Parameters:
  ///   - folder: where the files go; nothing is written outside of it.
  ///   - isCancelled: asked before each file.
  /// - Returns: the files that are whole.
  /// - Throws: before anything is written as ``contents()`` does; later where the disk fails, or
  ///   an entry is larger than it says.
  package func unpack(
    into folder: String, isCancelled: () -> Bool = { false }
  ) throws(ArchiveError) -> Contents {
    let expected = try contents()
    var result = Contents(entries: [], notes: expected.notes)
    try makeFolder(folder)
    for entry in expected.entries {
      let parent = entry.isFolder ? entry.path : Self.parent(of: entry.path)
      if !parent.isEmpty { try makeFolder("\(folder)/\(parent)") }
    }
    var unpacking = Unpacking(
      folder: folder, remaining: limits.most(ofArchive: size),
      expected: Set(expected.entries.map(\.path)))
    var reader = try open()
    var check = ArchiveCheck()
    do throws(ArchiveReader.Failure) {
      while let header = try reader.next(), !isCancelled() {
        guard case .success(let entry?) = check.entry(header), !entry.isFolder else { continue }
        try unpacking.unpack(entry, &reader, &result)
      }
    } catch {
      switch error {
      case .tooLarge: throw tooLarge
      case .unwritable(let words):
        throw wrong("\(folder) cannot be written: \(words)")
      default:
        if !result.notes.contains(truncation) { result.notes.append(truncation) }
      }
    }
    return result
  }

  private func open() throws(ArchiveError) -> ArchiveReader {
    let reader: ArchiveReader
    do throws(ArchiveReader.Failure) {
      reader = try ArchiveReader(path)
    } catch {
      throw failure(error)
    }
    guard reader.isUsable else { throw failure(.unreadable(reader.openingWords)) }
    return reader
  }

  private static func parent(of path: String) -> String {
    path.pathParts.dropLast().joined(separator: "/")
  }

  private func makeFolder(_ path: String) throws(ArchiveError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw wrong("the folder \(path) cannot be made")
    }
  }

  private var truncation: String {
    "\(path) ends too early; what is whole in it is used."
  }

  private var tooLarge: ArchiveError {
    wrong(
      "its files are larger than \(limits.most(ofArchive: size)) bytes, at most \(limits.ratio) "
        + "times the archive; raise \(option: "max-archive-size"), or unpack it yourself")
  }

  private func wrong(_ reason: Message) -> ArchiveError { ArchiveError(path: path, reason: reason) }

  private func failure(_ failure: ArchiveReader.Failure) -> ArchiveError {
    switch failure {
    case .unreadable(let words), .truncated(let words), .damaged(let words):
      wrong("it is not a .zip archive, or a damaged one (\(words))")
    case .unwritable, .tooLarge: tooLarge
    }
  }
}
