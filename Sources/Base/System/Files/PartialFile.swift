import Foundation
import Glibc

/// A file that one process reads while another one downloads it: a sparse file of the full size,
/// with a map of its pages beside it.
///
/// A reader never sees missing pages: it waits for them, and requests the page that it waits for in
/// the map.
///
/// ```
/// NAME        the bytes
/// NAME.map    a mark that identifies the file; a word with the requested page, counted from 1, or 0;
///             then a byte for each page, 1 if the page is present. Locked during the download
/// ```
///
/// Only files below folders passed to ``expect(below:)`` may be partial. Elsewhere, a file of that
/// name is unrelated.
package final class PartialFile: Sendable {
  /// The size of a page in bytes.
  package static let pageSize = 4096

  /// The sizes of the mark and of the word for the requested page, in bytes.
  private static let (markSize, wordSize) = (32, 8)
  private static let headSize = markSize + wordSize

  /// The folders with partial files.
  private static let folders = ConditionLock<Set<String>>([])

  /// Declares that files below `folder` may be partial. No other user may write to that folder.
  package static func expect(below folder: String) { folders.withLock { _ = $0.insert(folder) } }

  /// The size of the whole file in bytes.
  package let size: Int
  /// The descriptor of the file, owned by this object.
  package var descriptor: CInt { file.number }
  private var map: CInt { mapFile.number }
  private let file, mapFile: OwnedFileDescriptor

  private init(
    _ file: consuming OwnedFileDescriptor, _ map: consuming OwnedFileDescriptor, size: Int
  ) {
    self.file = file
    mapFile = map
    self.size = size
  }

  private static func mapPath(_ path: String) -> String { "\(path).map" }

  /// Creates an empty partial file of `size` bytes at `path`, and its map.
  package static func make(_ path: String, size: Int) throws(SystemError) -> PartialFile {
    let flags = O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW
    let file = PartialFile(
      try OwnedFileDescriptor(opening: path, flags, mode: 0o600, "make"),
      try OwnedFileDescriptor(opening: mapPath(path), flags, mode: 0o600, "make"), size: size)
    guard flock(file.map, LOCK_EX | LOCK_NB) == 0, ftruncate(file.descriptor, size) == 0,
      ftruncate(file.map, headSize + file.pageCount) == 0, let mark = file.mark,
      unsafe pwrite(file.map, mark, mark.count, 0) == mark.count
    else { throw SystemError("write", path) }
    return file
  }

  /// True if the file at `path` is in a folder in which files may be partial.
  package static func isExpected(_ path: String) -> Bool {
    folders.withLock { $0.contains { path.hasPrefix("\($0)/") } }
  }

  /// Opens the file at `path` for reading; `nil` if it is not in a declared folder or has no map.
  package static func open(_ path: String) -> PartialFile? {
    let flags = O_NOFOLLOW | O_NONBLOCK
    guard isExpected(path),
      let map = try? OwnedFileDescriptor(opening: mapPath(path), O_RDWR | flags),
      let data = try? OwnedFileDescriptor(opening: path, O_RDONLY | flags)
    else { return nil }
    let file = PartialFile(data, map, size: FileOperations.byteCount(of: path))
    var found = [UInt8](repeating: 0, count: markSize)
    guard unsafe pread(file.map, &found, found.count, 0) == found.count, found == file.mark else {
      return nil
    }
    return file
  }

  /// The first bytes of the map of present pages: a magic number, then the device, inode and size of
  /// the file that the map describes. `nil` if the file's status cannot be read.
  private var mark: [UInt8]? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    let words = [UInt64(status.st_dev), UInt64(status.st_ino), UInt64(status.st_size)]
    return Array("TESSPART".utf8)
      + words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  private var pageCount: Int { (size + Self.pageSize - 1) / Self.pageSize }

  // MARK: Reading

  /// Returns the number of consecutive bytes present from `offset` on, at most `count`.
  package func available(at offset: Int, count: Int) -> Int {
    let end = min(size, offset + count)
    guard offset >= 0, offset < end else { return 0 }
    let pages = offset / Self.pageSize...(end - 1) / Self.pageSize
    let states = states(of: pages)
    let there = states.prefix { $0 == 1 }.count
    guard there > 0 else { return 0 }
    return min(end, (pages.lowerBound + there) * Self.pageSize) - min(end, offset)
  }

  /// The result of waiting for a byte.
  package enum WaitResult: Sendable {
    case there, cancelled
    /// The download has ended without the byte.
    case abandoned
  }

  /// Waits until the byte at `offset` is present, the cancellation is requested, or the download
  /// has ended.
  package func wait(for offset: Int, _ cancellation: Cancellation) -> WaitResult {
    let page = offset / Self.pageSize
    var count = 0
    while available(at: offset, count: 1) == 0 {
      guard !cancellation.isCancelled else { return .cancelled }
      // The request is repeated, because another thread may have replaced it in the meantime.
      var word = UInt64(page + 1)
      unsafe pwrite(map, &word, Self.wordSize, Self.markSize)
      usleep(2_000)
      count += 1
      guard count % Self.patience == 0, !isFetched else { continue }
      return available(at: offset, count: 1) > 0 ? .there : .abandoned
    }
    return .there
  }

  /// True while the downloading process holds the map's lock. Any error but that of a held lock
  /// counts as the end of the download, because waiting without a working lock would never end.
  private var isFetched: Bool {
    guard flock(map, LOCK_SH | LOCK_NB) != 0 else {
      flock(map, LOCK_UN)
      return false
    }
    return [EWOULDBLOCK, EINTR].contains(errno)
  }

  /// The number of polls between checks that the download continues.
  private static let patience = 100

  /// Returns the states of `pages`, 1 for a present page; fewer if the map is truncated.
  private func states(of pages: ClosedRange<Int>) -> [UInt8] {
    var states = [UInt8](repeating: 0, count: pages.count)
    let count = unsafe pread(map, &states, states.count, Self.headSize + pages.lowerBound)
    return Array(states.prefix(max(0, count)))
  }

  // MARK: Fetching

  /// Takes the requested byte offset and clears the request; `nil` if no reader waits.
  package func takeWanted() -> Int? {
    var word: UInt64 = 0
    let count = unsafe pread(map, &word, Self.wordSize, Self.markSize)
    guard count == Self.wordSize, word != 0 else {
      return nil
    }
    var none: UInt64 = 0
    unsafe pwrite(map, &none, Self.wordSize, Self.markSize)
    guard let page = Int(exactly: word - 1), page < pageCount else { return nil }
    return page * Self.pageSize
  }

  /// Returns the missing parts of `range` in whole pages, in ranges of at most `length` bytes.
  package func missing(in range: Range<Int>, length: Int = .max) -> [Range<Int>] {
    let range = range.clamped(to: 0..<size)
    guard !range.isEmpty else { return [] }
    let pages = range.lowerBound / Self.pageSize...(range.upperBound - 1) / Self.pageSize
    var missing: [Range<Int>] = []
    for (page, state) in zip(pages, states(of: pages)) where state != 1 {
      let start = page * Self.pageSize
      let end = min(size, start + Self.pageSize)
      if let last = missing.last, last.upperBound == start, end - last.lowerBound <= length {
        missing[missing.count - 1] = last.lowerBound..<end
      } else {
        missing.append(start..<end)
      }
    }
    return missing
  }

  /// Records that all bytes of `range`, which covers whole pages, are present.
  package func note(_ range: Range<Int>) {
    let first = range.lowerBound / Self.pageSize
    let count = (range.upperBound + Self.pageSize - 1) / Self.pageSize - first
    let marks = [UInt8](repeating: 1, count: count)
    unsafe pwrite(map, marks, count, Self.headSize + first)
  }
}
