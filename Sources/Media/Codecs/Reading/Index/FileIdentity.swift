import CTesseraFFmpeg
import Glibc
import TesseraDocuments
import TesseraSystem
import TesseraTimeline

/// The identity of a file's content: changes when the file is replaced or written to.
package struct FileIdentity: Hashable, Sendable, Codable {
  /// The size of the file in bytes; for a playlist, of it and its segments; for the first part of a
  /// recording, of all parts.
  package var byteCount: Int64
  /// The times of the last change of content (mtime) and of metadata (ctime), in nanoseconds since
  /// 1970.
  package var modified, changed: Int64
  package var inode: UInt64
  /// A hash of the first and last 64 KB; for a playlist or a recording in parts, of the playlist's
  /// text and the files' names, sizes and times.
  package var ends: String

  private static let endLength = 64 << 10

  /// Returns the size of the file at `path` in bytes, with the later parts of a recording, or the
  /// total size of a playlist's segments; `nil` if the file does not exist.
  static func byteCount(of path: String) -> Int64? {
    if let (playlist, run) = SegmentedFile.parts(of: path) {
      guard let file = try? SegmentedFile(playlist) else { return nil }
      let runs = run.map { file.runs.indices.contains($0) ? [file.runs[$0]] : [] } ?? file.runs
      return runs.reduce(0) { $0 +| $1.byteCount }
    }
    return FileOperations.status(of: path).map { status in
      RecordingPartFinder.following(path).reduce(Int64(status.st_size)) {
        $0 +| Int64(FileOperations.byteCount(of: $1))
      }
    }
  }

  /// Reads the identity of the file or playlist at `path`; returns `nil` if it cannot be read.
  package init?(_ path: String) {
    if let (playlist, run) = SegmentedFile.parts(of: path) {
      // The playlist is read again because segments may have been added.
      let paths = (try? SegmentedFile(playlist))?.paths ?? [playlist]
      let list = try? RegularFile.bytes(playlist, atMost: HLSPlaylist.largestSize)
      self.init(files: paths, run, list)
    } else {
      let parts = RecordingPartFinder.following(path)
      if parts.isEmpty { self.init(file: path) } else { self.init(files: [path] + parts, nil, nil) }
    }
  }

  private init?(file path: String) {
    guard let file = try? RegularFile(path), let status = try? file.status else { return nil }
    byteCount = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
    inode = UInt64(status.st_ino)
    var hash = PayloadHasher()
    for offset in [0, max(0, byteCount -| Int64(Self.endLength))] {
      guard let bytes = try? file.bytes(Self.endLength, from: Int(offset)) else { return nil }
      hash.add(bytes)
    }
    ends = hash.text
  }

  /// Computes the identity of several files that are read as one: a playlist, its bytes `list` and
  /// its segments, of which `run` selects one run, or the parts of a recording.
  private init?(files paths: [String], _ run: Int?, _ list: [UInt8]?) {
    guard let first = paths.first, var status = FileOperations.status(of: first) else { return nil }
    (byteCount, modified, changed, inode) = (0, 0, 0, UInt64(status.st_ino))
    var hash = PayloadHasher()
    hash.add(Array("\(run ?? -1)".utf8))
    for (number, file) in paths.enumerated() {
      guard let found = number == 0 ? status : FileOperations.status(of: file) else { continue }
      status = found
      byteCount +|= Int64(status.st_size)
      let times = [status.st_mtim, status.st_ctim].map {
        Int64($0.tv_sec) &* 1_000_000_000 &+ Int64($0.tv_nsec)
      }
      (modified, changed) = (max(modified, times[0]), max(changed, times[1]))
      hash.add(Array("\(file.utf8.count) \(status.st_size) \(times[0])".utf8))
    }
    if let list { hash.add(list) }
    ends = hash.text
  }

}

/// An incremental hash: two sums over words of eight bytes, similar to the hash FNV-1a of Fowler,
/// Noll and Vo. Not cryptographic.
struct PayloadHasher: Hashable, Sendable {
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

  init(_ bytes: [UInt8] = []) { add(bytes) }

  mutating func add(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe add($0) } }

  /// The hash as 32 hexadecimal digits.
  var text: String {
    [low, high].map { value in
      let digits = String(value ^ value >> 32, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
