import CTesseraFFmpeg
import Glibc
import TesseraDocuments
import TesseraSystem
import TesseraTimeline

/// What distinguishes a file from others, and from what it was before it was written to again.
package struct FileIdentity: Hashable, Sendable, Codable {
  /// Its size in bytes.
  package var byteCount: Int64
  /// When its content and its entry changed, in nanoseconds since 1970.
  package var modified, changed: Int64
  /// Its number in its file system.
  package var inode: UInt64
  /// A hash of its first and last 64 KB.
  package var ends: String

  private static let endLength = 64 << 10

  /// The size of the file at `path`, or of all that a playlist names; nil where there is none.
  static func byteCount(of path: String) -> Int64? {
    if let (playlist, run) = SegmentedFile.parts(of: path) {
      guard let file = try? SegmentedFile(playlist) else { return nil }
      let runs = run.map { file.runs.indices.contains($0) ? [file.runs[$0]] : [] } ?? file.runs
      return runs.reduce(0) { $0 +| $1.byteCount }
    }
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// That of the file at `path`; nil where it cannot be read.
  package init?(_ path: String) {
    if let (playlist, run) = SegmentedFile.parts(of: path) {
      self.init(segments: playlist, run)
    } else {
      self.init(file: path)
    }
  }

  private init?(file path: String) {
    guard let file = unsafe RegularFile.stream(path) else { return nil }
    defer { unsafe fclose(file) }
    var status = stat()
    guard unsafe fstat(fileno(file), &status) == 0 else { return nil }
    byteCount = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
    inode = UInt64(status.st_ino)
    var hash = PayloadHash()
    for offset in [0, max(0, byteCount -| Int64(Self.endLength))] {
      guard unsafe fseek(file, Int(offset), SEEK_SET) == 0 else { return nil }
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.endLength) { buffer in
        let count = unsafe fread(buffer.baseAddress, 1, buffer.count, file)
        unsafe hash.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
      }
    }
    ends = hash.text
  }

  /// That of the playlist at `path` with its segments, or of one of its runs.
  private init?(segments path: String, _ run: Int?) {
    guard var status = Self.status(path) else { return nil }
    // Read afresh: segments may have come since.
    let paths = (try? SegmentedFile(path))?.paths ?? [path]
    (byteCount, modified, changed, inode) = (0, 0, 0, UInt64(status.st_ino))
    var hash = PayloadHash()
    hash.add(Array("\(run ?? -1)".utf8))
    for (number, file) in paths.enumerated() {
      guard let found = number == 0 ? status : Self.status(file) else { continue }
      status = found
      byteCount +|= Int64(status.st_size)
      let times = [status.st_mtim, status.st_ctim].map {
        Int64($0.tv_sec) &* 1_000_000_000 &+ Int64($0.tv_nsec)
      }
      (modified, changed) = (max(modified, times[0]), max(changed, times[1]))
      hash.add(Array("\(file.utf8.count) \(status.st_size) \(times[0])".utf8))
    }
    if let list = try? RegularFile.bytes(path, atMost: Playlist.largestSize) { hash.add(list) }
    ends = hash.text
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }
}

/// A hash of bytes that come piece by piece: two sums as in Fowler, Noll and Vo's hash 1a, over
/// words of eight bytes.
struct PayloadHash: Hashable, Sendable {
  private(set) var low: UInt64 = 0xcbf2_9ce4_8422_2325
  private var high: UInt64 = 0x9e37_79b9_7f4a_7c15

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var (low, high) = (low, high)
    let words = bytes.count / 8
    for word in 0..<words {
      let value = unsafe UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self))
      low = (low ^ value) &* 0x100_0000_01b3
      high = (high ^ (value &+ low >> 29)) &* 0xff51_afd7_ed55_8ccd
    }
    for index in 8 * words..<bytes.count {
      low = (low ^ UInt64(unsafe bytes[index])) &* 0x100_0000_01b3
    }
    (self.low, self.high) = (low ^ UInt64(bytes.count), high)
  }

  mutating func add(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe add($0) } }

  /// 32 hexadecimal digits.
  var text: String {
    [low, high].map { value in
      let digits = String(value ^ value >> 32, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
