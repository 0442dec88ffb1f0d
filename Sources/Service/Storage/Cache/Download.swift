import Glibc
import TesseraSystem

/// An object on its way into the cache: a sparse file, and beside it which chunks are there.
final class Download: @unchecked Sendable {
  // Sendable because `chunks` and `outstanding` are only touched under the queue's lock.
  private let remote: RemoteObject
  private let path: String
  private let lock: OwnedDescriptor
  /// What is written; nil where all is there.
  private let file: SharedDescriptor?
  private let map: SharedDescriptor?
  private var isDone: Bool { file == nil }
  /// Chunks that nobody has begun, the last one first.
  private var chunks: [Int] = []
  private var outstanding = 0

  init(
    _ remote: RemoteObject, in folder: String, cancellation: Cancellation
  ) throws(StorageError) {
    self.remote = remote
    path = "\(folder)/\(remote.identity)"
    lock = try Self.open("\(path).lock")
    // Another process may fetch the same.
    guard lock.lock(cancellation) else { throw .stopped }
    guard !remote.isWhole(at: path) else {
      (file, map) = (nil, nil)
      return
    }
    let file = SharedDescriptor(try Self.open("\(path).part"))
    let map = SharedDescriptor(try Self.open("\(path).map"))
    (self.file, self.map) = (file, map)
    guard ftruncate(file.number, remote.facts.size) == 0 else {
      throw StorageError(
        .failure, "there is no room for \(remote.name): \(SystemError("write", path).reason).")
    }
    let count = (remote.facts.size + chunkSize - 1) / chunkSize
    // A map of chunks of another size says nothing: the server no longer sends ranges.
    var (size, known) = (Int64(chunkSize), Int64(0))
    let isKnown = unsafe pread(map.number, &known, Self.header, 0) == Self.header && known == size
    if !isKnown, ftruncate(map.number, 0) == 0 {
      unsafe pwrite(map.number, &size, Self.header, 0)
    }
    var there = [UInt8](repeating: 0, count: max(count, 1))
    let noted = isKnown ? unsafe pread(map.number, &there, count, off_t(Self.header)) : 0
    chunks = (0..<count).reversed().filter { $0 >= noted || there[$0] != 1 }
    outstanding = chunks.count
  }

  /// The bytes of the map that hold the size of chunks; a byte for each chunk follows.
  private static let header = MemoryLayout<Int64>.size

  private static func open(_ path: String) throws(StorageError) -> OwnedDescriptor {
    do throws(SystemError) {
      return try OwnedDescriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    } catch {
      throw StorageError(.failure, "\(error).")
    }
  }

  /// What is fetched in one request: all where the server sends no ranges.
  private var chunkSize: Int {
    remote.facts.hasRanges ? ObjectCache.chunkSize : max(remote.facts.size, 1)
  }

  /// The next range to fetch; nil where all are begun.
  func next() -> Range<Int>? {
    chunks.popLast().map { $0 * chunkSize..<min(($0 + 1) * chunkSize, remote.facts.size) }
  }

  /// Whether nothing is to be fetched.
  var isWhole: Bool { outstanding == 0 }

  /// Fetches a range.
  func fetch(_ range: Range<Int>) throws(StorageError) {
    let sink = RangeSink(file?.number ?? -1, range, of: remote.facts)
    try remote.read(sink)
    var mark: UInt8 = 1
    unsafe pwrite(map?.number ?? -1, &mark, 1, off_t(Self.header + range.lowerBound / chunkSize))
  }

  /// Notes that a range has arrived; true where it was the last one.
  func note(_ range: Range<Int>) -> Bool {
    outstanding -= 1
    return outstanding == 0
  }

  /// Gives the whole file its name.
  func finish() throws(StorageError) {
    guard !isDone else { return }
    if let reason = FileSystem.rename("\(path).part", to: path) {
      throw StorageError(.failure, "cannot write \(path): \(reason).")
    }
    FileSystem.remove("\(path).map")
    FileSystem.remove("\(path).lock")
  }
}

/// The ranges of several objects, one object after the other.
struct DownloadQueue {
  private var remotes: [RemoteObject]
  private var current: Download?
  var isStopped = false

  init(_ remotes: [RemoteObject]) { self.remotes = remotes.reversed() }

  /// The next range to fetch; `open` begins an object.
  mutating func next(
    _ open: (RemoteObject) throws(StorageError) -> Download
  ) throws(StorageError) -> (Download, Range<Int>)? {
    guard !isStopped else { return nil }
    while true {
      if let current, let range = current.next() { return (current, range) }
      guard let remote = remotes.popLast() else { return nil }
      let download = try open(remote)
      if download.isWhole { try download.finish() }
      current = download
    }
  }
}
