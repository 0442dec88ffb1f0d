import Foundation
import Glibc

/// A file of which only parts are there yet, and which is read by one process while another one
/// fetches it: a sparse file of the whole size, and beside it a map. Whoever reads never sees what
/// is not there: it waits until it is, and says in the map which page it waits for.
///
///     NAME        the bytes
///     NAME.map    a word with the wanted page, counted from 1, or 0; then a byte for each page, 1
///                 where that is there
package final class PartialFile: Sendable {
  /// The bytes of a page.
  package static let pageSize = 4096

  private static let headSize = 8

  /// The bytes of the whole file.
  package let size: Int
  /// What is written through.
  package let descriptor: CInt
  private let map: CInt

  private init(_ descriptor: CInt, _ map: CInt, size: Int) {
    (self.descriptor, self.map, self.size) = (descriptor, map, size)
  }

  deinit {
    close(descriptor)
    close(map)
  }

  private static func mapPath(_ path: String) -> String { "\(path).map" }

  /// Makes a file of `size` bytes at `path`, of which nothing is there.
  package static func make(_ path: String, size: Int) throws(SystemError) -> PartialFile {
    let flags = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe Glibc.open(path, flags, 0o600)
    guard descriptor >= 0 else { throw SystemError("make", path) }
    let map = unsafe Glibc.open(mapPath(path), flags, 0o600)
    guard map >= 0 else {
      close(descriptor)
      throw SystemError("make", mapPath(path))
    }
    let file = PartialFile(descriptor, map, size: size)
    guard ftruncate(descriptor, size) == 0, ftruncate(map, headSize + file.pageCount) == 0 else {
      throw SystemError("write", path)
    }
    return file
  }

  /// The file at `path` for reading; nil where the one there is whole, or none is.
  package static func open(_ path: String) -> PartialFile? {
    let map = unsafe Glibc.open(mapPath(path), O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard map >= 0 else { return nil }
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      close(map)
      return nil
    }
    return PartialFile(descriptor, map, size: FileSystem.byteCount(of: path))
  }

  private var pageCount: Int { (size + Self.pageSize - 1) / Self.pageSize }

  // MARK: Reading

  /// How many of the bytes from `offset` on are there in a row, `count` at most.
  package func available(at offset: Int, count: Int) -> Int {
    let end = min(size, offset + count)
    guard offset >= 0, offset < end else { return 0 }
    let pages = offset / Self.pageSize...(end - 1) / Self.pageSize
    let states = states(of: pages)
    let there = states.prefix { $0 == 1 }.count
    guard there > 0 else { return 0 }
    return min(end, (pages.lowerBound + there) * Self.pageSize) - min(end, offset)
  }

  /// Waits until the byte at `offset` is there; false once the cancellation is asked for.
  package func wait(for offset: Int, _ cancellation: Cancellation) -> Bool {
    let page = offset / Self.pageSize
    while available(at: offset, count: 1) == 0 {
      guard !cancellation.isCancelled else { return false }
      // Said again each time: another thread may have said something else since.
      var word = UInt64(page + 1)
      unsafe pwrite(map, &word, Self.headSize, 0)
      usleep(2_000)
    }
    return true
  }

  private func states(of pages: ClosedRange<Int>) -> [UInt8] {
    var states = [UInt8](repeating: 0, count: pages.count)
    let count = unsafe pread(map, &states, states.count, Self.headSize + pages.lowerBound)
    return Array(states.prefix(max(0, count)))
  }

  // MARK: Fetching

  /// The byte that somebody waits for, which is then forgotten; nil where nobody does.
  package func takeWanted() -> Int? {
    var word: UInt64 = 0
    guard unsafe pread(map, &word, Self.headSize, 0) == Self.headSize, word != 0 else {
      return nil
    }
    var none: UInt64 = 0
    unsafe pwrite(map, &none, Self.headSize, 0)
    guard let page = Int(exactly: word - 1), page < pageCount else { return nil }
    return page * Self.pageSize
  }

  /// What of `range`, in whole pages, is not there, in rows of `length` bytes at most.
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

  /// Notes that all bytes of `range`, whole pages, are there.
  package func note(_ range: Range<Int>) {
    let first = range.lowerBound / Self.pageSize
    let count = (range.upperBound + Self.pageSize - 1) / Self.pageSize - first
    let marks = [UInt8](repeating: 1, count: count)
    unsafe pwrite(map, marks, count, Self.headSize + first)
  }
}
