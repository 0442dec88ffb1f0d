import Glibc
import TesseraMessages
import TesseraSystem

/// The download of one object into the cache: a sparse `.part` file, a `.map` of the chunks that
/// have arrived, and a `.lock` that keeps other processes out.
final class ObjectDownload: @unchecked Sendable {
  // `chunks` and `outstanding` are accessed only under the lock of the `RangeQueue`.
  private let remote: RemoteObject
  private let path: String
  private let lock: OwnedFileDescriptor
  /// The `.part` file; `nil` if the object is already complete.
  private let file: SharedFileDescriptor?
  private let map: SharedFileDescriptor?
  private var isDone: Bool { file == nil }
  /// The indices of the chunks not yet requested, the last one first.
  private var chunks: [Int] = []
  private var outstanding = 0

  init(
    _ remote: RemoteObject, in folder: String, cancellation: Cancellation
  ) throws(StorageError) {
    self.remote = remote
    path = "\(folder)/\(remote.identity)"
    lock = try Self.open("\(path).lock")
    // Another process may be fetching this object. Wait for its lock, then check again.
    guard lock.lock(cancellation) else { throw .stopped }
    guard !remote.isWhole(at: path) else {
      (file, map) = (nil, nil)
      return
    }
    let file = SharedFileDescriptor(try Self.open("\(path).part"))
    let map = SharedFileDescriptor(try Self.open("\(path).map"))
    (self.file, self.map) = (file, map)
    guard ftruncate(file.number, remote.facts.size) == 0 else {
      throw StorageError(
        .failure, "there is no room for \(remote.name): \(SystemError("write", path).reason).")
    }
    let count = (remote.facts.size + chunkSize - 1) / chunkSize
    // A map with another chunk size is worthless: the server no longer sends ranges.
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

  /// The size of the map's header in bytes: the chunk size as `Int64`. One byte per chunk follows,
  /// 1 for a chunk that has arrived.
  private static let header = MemoryLayout<Int64>.size

  private static func open(_ path: String) throws(StorageError) -> OwnedFileDescriptor {
    do throws(SystemError) {
      return try OwnedFileDescriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    } catch {
      throw StorageError(.failure, "\(error).")
    }
  }

  /// The bytes fetched per request: 8 MiB, or the whole object if the server does not send ranges.
  private var chunkSize: Int {
    remote.facts.hasRanges ? ObjectCache.chunkSize : max(remote.facts.size, 1)
  }

  /// Returns the next byte range to fetch, or `nil` if all ranges have been handed out.
  func next() -> Range<Int>? {
    chunks.popLast().map { $0 * chunkSize..<min(($0 + 1) * chunkSize, remote.facts.size) }
  }

  /// True if no chunk is missing.
  var isWhole: Bool { outstanding == 0 }

  /// Fetches `range` into the `.part` file and marks its chunk in the map.
  func fetch(_ range: Range<Int>) throws(StorageError) {
    let sink = FileRangeSink(file?.number ?? -1, range, of: remote.facts)
    try remote.read(sink)
    var mark: UInt8 = 1
    unsafe pwrite(map?.number ?? -1, &mark, 1, off_t(Self.header + range.lowerBound / chunkSize))
  }

  /// Counts `range` as arrived. Returns `true` if no other chunk is outstanding.
  func note(_ range: Range<Int>) -> Bool {
    outstanding -= 1
    return outstanding == 0
  }

  /// Renames the complete `.part` file to its final name and removes the map and the lock.
  func finish() throws(StorageError) {
    guard !isDone else { return }
    if let reason = FileOperations.rename("\(path).part", to: path) {
      throw StorageError(.failure, "cannot write \(file: path): \(reason).")
    }
    FileOperations.remove("\(path).map")
    FileOperations.remove("\(path).lock")
  }
}

/// Hands out the missing ranges of several objects, one object after another.
struct RangeQueue {
  private var remotes: [RemoteObject]
  private var current: ObjectDownload?
  var isStopped = false

  init(_ remotes: [RemoteObject]) { self.remotes = remotes.reversed() }

  /// Returns the next range and its download, or `nil` if none is left. Calls `open` when it starts
  /// an object.
  mutating func next(
    _ open: (RemoteObject) throws(StorageError) -> ObjectDownload
  ) throws(StorageError) -> (ObjectDownload, Range<Int>)? {
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
