import Glibc
import TesseraMessages
import TesseraSystem

/// Fetches parts of objects in the background, ranges known in advance in their order. Ranges that
/// a reader of a file is waiting for go first.
package final class RangeDownloader: Sendable {
  /// The ranges to fetch of one object, and the file that receives them.
  package struct ObjectRanges: Sendable {
    /// The object's identity.
    package var object: ObjectIdentity
    /// The path of the file that receives the bytes, at their offsets in the object.
    package var path: String
    /// The byte ranges known to be needed.
    package var ranges: [Range<Int>]

    /// Creates the request for `ranges` of `object`, in a file at `path`.
    package init(_ object: ObjectIdentity, path: String, ranges: [Range<Int>]) {
      (self.object, self.path, self.ranges) = (object, path, ranges)
    }
  }

  /// An object and the partially filled file that receives it.
  private struct PartialObject: Sendable {
    let remote: RemoteObject
    let file: PartialFile
  }

  private struct State {
    /// The ranges known in advance and not yet started, the last one first.
    var waiting: [(entry: Int, range: Range<Int>)] = []
    /// The entries with a running fetch for a waiting reader.
    var busy: Set<Int> = []
    /// For each entry, the end and the length of the last range fetched for a waiting reader. A
    /// reader that continues there gets twice the length.
    var ends: [Int: (end: Int, length: Int)] = [:]
    var error: StorageError?
    var isEnded = false
  }

  private let entries: [PartialObject]
  private let state: ConditionLock<State>
  private let threads: ThreadGroup

  /// The maximum length in bytes of a range known in advance: 2 MiB per request.
  private static let stride = 2 << 20
  /// The length in bytes of a fetch for a waiting reader: 8 KiB at first, doubled while the reader
  /// continues sequentially, 1 MiB at most.
  private static let (least, most) = (8 << 10, 1 << 20)
  private static let threadCount = 4

  /// Starts to fetch. Calls `failed` once after the first error.
  fileprivate init(
    _ entries: [(remote: RemoteObject, file: PartialFile, ranges: [Range<Int>])],
    cancellation: Cancellation, failed: @escaping @Sendable () -> Void
  ) {
    var waiting: [(entry: Int, range: Range<Int>)] = []
    var rows = entries.map { entry in
      entry.ranges.flatMap { entry.file.missing(in: $0, length: Self.stride) }[...]
    }
    // Interleave the files, so that all of them start at once.
    while rows.contains(where: { !$0.isEmpty }) {
      for number in rows.indices {
        if let range = rows[number].popFirst() { waiting.append((number, range)) }
      }
    }
    let files = entries.map { PartialObject(remote: $0.remote, file: $0.file) }
    let state = ConditionLock(State(waiting: waiting.reversed()))
    (self.entries, self.state) = (files, state)
    threads = ThreadGroup(count: Self.threadCount, name: "fetch") {
      while let work = Self.next(files, state) {
        do throws(StorageError) {
          if let (entry, range) = work {
            try Self.fetch(files[entry], range)
            state.withLock { _ = $0.busy.remove(entry) }
          } else {
            usleep(4_000)
          }
          if cancellation.isCancelled { throw .stopped }
        } catch {
          let isFirst = state.withLock { state in
            defer { (state.error, state.isEnded) = (state.error ?? error, true) }
            return state.error == nil
          }
          if isFirst { failed() }
        }
      }
    }
  }

  /// Returns the next range to fetch: `.some(nil)` if there is no work at the moment, `nil` if all
  /// threads are to end.
  private static func next(
    _ files: [PartialObject], _ state: ConditionLock<State>
  ) -> (entry: Int, range: Range<Int>)?? {
    state.withLock { state in
      guard !state.isEnded else { return nil }
      for (number, entry) in files.enumerated() where !state.busy.contains(number) {
        guard let wanted = entry.file.takeWanted(),
          entry.file.available(at: wanted, count: 1) == 0
        else { continue }
        let last = state.ends[number]
        let length = last?.end == wanted ? min(Self.most, 2 * (last?.length ?? 0)) : Self.least
        guard let range = entry.file.missing(in: wanted..<wanted + length).first else { continue }
        state.ends[number] = (range.upperBound, length)
        state.busy.insert(number)
        return .some((number, range))
      }
      return .some(state.waiting.popLast())
    }
  }

  private static func fetch(_ entry: PartialObject, _ range: Range<Int>) throws(StorageError) {
    for missing in entry.file.missing(in: range) {
      try entry.remote.read(FileRangeSink(entry.file.descriptor, missing, of: entry.remote.facts))
      entry.file.note(missing)
    }
  }

  /// Stops all fetches and waits for the threads.
  ///
  /// - Throws: the first ``StorageError`` of a fetch.
  package func end() throws(StorageError) {
    state.withLock { $0.isEnded = true }
    threads.join()
    if let error = state.withLock({ $0.error }) {
      throw error.isChange ? ObjectStore.replaced(error) : error
    }
  }
}

extension ObjectStore {
  /// Starts to fetch parts of objects into separate files.
  ///
  /// - Parameters:
  ///   - parts: the objects, files and ranges.
  ///   - address: returns the full address of an object whose stored location omits a secret query.
  ///   - failed: called once after the first error.
  /// - Returns: the running downloads; the caller must call ``RangeDownloader/end()``.
  /// - Throws: ``StorageError`` if there is no room, or an object no longer exists.
  package func fetch(
    _ parts: [RangeDownloader.ObjectRanges], address: (String) -> String? = { _ in nil },
    failed: @escaping @Sendable () -> Void
  ) throws(StorageError) -> RangeDownloader {
    var entries: [(remote: RemoteObject, file: PartialFile, ranges: [Range<Int>])] = []
    for part in parts {
      let remote = try remote(part.object, address(part.object.location))
      do throws(SystemError) {
        let file = try PartialFile.make(part.path, size: part.object.size)
        entries.append((remote, file, part.ranges))
      } catch {
        throw StorageError(.failure, "\(error); name another folder with \(option: "fetch-cache").")
      }
    }
    return RangeDownloader(entries, cancellation: cache.cancellation, failed: failed)
  }

  /// Returns the path of an object that is in the cache as a whole, or `nil` otherwise.
  package func whole(_ object: ObjectIdentity) -> String? {
    // The content behind an `https` address is known only after a request.
    guard case .object? = try? Location(object.location), let remote = try? remote(object, nil)
    else {
      return nil
    }
    return cache.whole(remote)
  }
}
