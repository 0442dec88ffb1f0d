import Foundation
package import TesseraMessages
import TesseraSystem
import TesseraTimeline

/// Limits on unpacking an archive, against archive bombs.
package struct ArchiveLimits: Hashable, Sendable, Codable {
  /// The maximum total size of all files, in bytes (default: 64 GiB).
  package var bytes: Int64 = 64 << 30
  /// The maximum number of files and folders.
  package var files = 10_000
  /// The maximum ratio of unpacked size to archive size. Media hardly compress.
  package var ratio: Int64 = 100
  /// The unpacked size up to which ``ratio`` does not apply, in bytes.
  package var harmlessBytes: Int64 = 64 << 20

  /// Creates the default limits with a total of at most `bytes`.
  package init(bytes: Int64 = 64 << 30) { self.bytes = bytes }

  /// Returns the maximum unpacked size of an archive of `size` bytes.
  func most(ofArchive size: Int64) -> Int64 {
    let (product, overflows) = size.multipliedReportingOverflow(by: ratio)
    return min(bytes, overflows ? .max : max(harmlessBytes, product))
  }
}

/// The reason why an archive cannot be unpacked: one sentence.
package struct ArchiveError: Error, Hashable, Sendable, Codable, MessageConvertible,
  CustomStringConvertible
{
  package let path: String
  package let reason: UserMessage

  /// Creates the error that the archive at `path` cannot be unpacked for `reason`.
  package init(path: String, reason: UserMessage) { (self.path, self.reason) = (path, reason) }

  package var sentence: UserMessage { "\(file: path) cannot be unpacked: \(reason)." }
}

/// A .zip archive.
package struct ZipArchive: Sendable {
  package let path: String
  package let limits: ArchiveLimits
  private let size: Int64

  /// A file or folder in an archive.
  package struct Entry: Hashable, Sendable {
    /// The path, with `/` as separator; never absolute and never with `..`.
    package var path: String
    /// The size in bytes; `nil` if the archive does not state it.
    package var size: Int64?
    package var isFolder: Bool
  }

  /// The readable contents of an archive.
  package struct Contents: Hashable, Sendable {
    /// The entries, in the archive's order.
    package var entries: [Entry]
    /// Warnings for the user: the archive is truncated, an entry is damaged.
    package var notes: [UserMessage]
  }

  package init(_ path: String, limits: ArchiveLimits = ArchiveLimits()) {
    self.path = path
    self.limits = limits
    size = Int64(FileOperations.byteCount(of: path))
  }

  /// True if the file at `path` begins with the signature of a .zip archive.
  package static func isArchive(_ path: String) -> Bool {
    guard let start = try? RegularFile.bytes(path, atMost: 4) else { return false }
    return [[0x50, 0x4b, 3, 4], [0x50, 0x4b, 5, 6]].contains(start)
  }

  /// Lists the archive and writes nothing.
  ///
  /// - Throws: if the file is no archive, has an entry that is refused, or exceeds the limits.
  package func contents() throws(ArchiveError) -> Contents {
    var reader = try open()
    var check = ArchiveEntryFilter()
    var contents = Contents(entries: [], notes: [])
    var total: Int64 = 0
    while true {
      let header: ArchiveReader.Header?
      do throws(ArchiveReader.ReadFailure) {
        header = try reader.next()
      } catch {
        guard !contents.entries.isEmpty else { throw failure(error) }
        contents.notes.append(truncation)
        break
      }
      guard let header else { break }
      guard !header.isEncrypted else { throw wrong("it is encrypted") }
      switch check.entry(header) {
      case .failure(let reason): throw wrong(UserMessage(reason.words))
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
    if let reason = check.conflict { throw wrong(UserMessage(reason)) }
    return contents
  }

  /// Unpacks all files into `folder`.
  ///
  /// Lists the archive first, so that nothing is written if an entry is refused. Damaged entries
  /// are kept with a warning.
  ///
  /// - Parameters:
  ///   - folder: the destination, created if missing, which should be empty. Nothing is written
  ///     elsewhere.
  ///   - isCancelled: returns true to stop; called before each file.
  /// - Returns: the unpacked files, with warnings.
  /// - Throws: the errors of ``contents()`` before anything is written; later, if the disk fails or
  ///   an entry is larger than stated.
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
    var unpacking = ArchiveUnpacker(
      folder: folder, remaining: limits.most(ofArchive: size),
      expected: Set(expected.entries.map(\.path)))
    var reader = try open()
    var check = ArchiveEntryFilter()
    do throws(ArchiveReader.ReadFailure) {
      while let header = try reader.next(), !isCancelled() {
        guard case .success(let entry?) = check.entry(header), !entry.isFolder else { continue }
        try unpacking.unpack(entry, &reader, &result)
      }
    } catch {
      switch error {
      case .tooLarge: throw tooLarge
      case .unwritable(let words):
        throw wrong("\(file: folder) cannot be written: \(words)")
      default:
        if !result.notes.contains(truncation) { result.notes.append(truncation) }
      }
    }
    return result
  }

  private func open() throws(ArchiveError) -> ArchiveReader {
    let reader: ArchiveReader
    do throws(ArchiveReader.ReadFailure) {
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
      throw wrong("the folder \(file: path) cannot be made")
    }
  }

  private var truncation: UserMessage {
    "\(file: path) ends too early; its complete files are used."
  }

  private var tooLarge: ArchiveError {
    wrong(
      "its files are larger than \(limits.most(ofArchive: size)) bytes, at most \(limits.ratio) "
        + "times the archive; raise \(option: "max-archive-size"), or unpack it yourself")
  }

  private func wrong(_ reason: UserMessage) -> ArchiveError {
    ArchiveError(path: path, reason: reason)
  }

  private func failure(_ failure: ArchiveReader.ReadFailure) -> ArchiveError {
    switch failure {
    case .unreadable(let words), .truncated(let words), .damaged(let words):
      wrong("it is not a .zip archive, or it is damaged (\(words))")
    case .unwritable, .tooLarge: tooLarge
    }
  }
}
