import Foundation
import TesseraMessages
import TesseraSystem
import TesseraTimeline

/// Writes entries to a folder and counts the bytes that may still be written.
struct ArchiveUnpacker {
  let folder: String
  var remaining: Int64
  var expected: Set<String>
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  init(folder: String, remaining: Int64, expected: Set<String>) {
    (self.folder, self.remaining, self.expected) = (folder, remaining, expected)
  }

  mutating func unpack(
    _ entry: ZipArchive.Entry, _ reader: inout ArchiveReader, _ result: inout ZipArchive.Contents
  ) throws(ArchiveReader.ReadFailure) {
    guard expected.remove(entry.path) != nil else { return }
    let path = "\(folder)/\(entry.path)"
    do throws(ArchiveReader.ReadFailure) {
      let count = try reader.extract(to: path, limit: remaining, &buffer)
      remaining -|= count
      result.entries.append(ZipArchive.Entry(path: entry.path, size: count, isFolder: false))
    } catch {
      guard case .damaged = error else {
        try? FileManager.default.removeItem(atPath: path)
        throw error
      }
      let size = Int64(FileOperations.byteCount(of: path))
      remaining = max(0, remaining -| size)
      result.entries.append(ZipArchive.Entry(path: entry.path, size: size, isFolder: false))
      result.notes.append("\(file: entry.path) is damaged in the archive.")
    }
  }
}
