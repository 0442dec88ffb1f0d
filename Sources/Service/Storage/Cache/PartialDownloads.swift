import Glibc
import TesseraSystem

/// Objects of which only parts are fetched: those that are known to be needed, in their order, and
/// before them whatever somebody who reads the files waits for.
package final class PartialDownloads: Sendable {
  /// An object of which parts are fetched.
  package struct Part: Sendable {
    /// What it is.
    package var object: StoredObject
    /// The file that is made of it.
    package var path: String
    /// The bytes that are known to be needed.
    package var ranges: [Range<Int>]

    /// The parts `ranges` of `object`, in a file at `path`.
    package init(_ object: StoredObject, path: String, ranges: [Range<Int>]) {
      (self.object, self.path, self.ranges) = (object, path, ranges)
    }
  }

  /// A file on its way.
  private struct Entry: Sendable {
    let remote: RemoteObject
    let file: PartialFile
  }

  private struct State {
    /// The rest of what is known to be needed, the last one first.
    var waiting: [(entry: Int, range: Range<Int>)] = []
    /// The files that somebody fetches parts of which another one waits for.
    var busy: Set<Int> = []
    /// Where the last ranges that were sent to waiting readers ended, and how much came at once.
    var ends: [Int: (end: Int, length: Int)] = [:]
    var error: StorageError?
    var isEnded = false
  }

  private let entries: [Entry]
  private let state: Monitor<State>
  private let threads: WorkerThreads

  /// What is fetched at once of what is known to be needed.
  private static let stride = 2 << 20
  /// What is fetched at once where somebody waits: the first time, and at most where that goes on.
  private static let (least, most) = (8 << 10, 1 << 20)
  private static let threadCount = 4

  /// Begins to fetch; `failed` is called once where something does not arrive.
  fileprivate init(
    _ entries: [(remote: RemoteObject, file: PartialFile, ranges: [Range<Int>])],
    cancellation: Cancellation, failed: @escaping @Sendable () -> Void
  ) {
    var waiting: [(entry: Int, range: Range<Int>)] = []
    var rows = entries.map { entry in
      entry.ranges.flatMap { entry.file.missing(in: $0, length: Self.stride) }[...]
    }
    // All files begin at once.
    while rows.contains(where: { !$0.isEmpty }) {
      for number in rows.indices {
        if let range = rows[number].popFirst() { waiting.append((number, range)) }
      }
    }
    let files = entries.map { Entry(remote: $0.remote, file: $0.file) }
    let state = Monitor(State(waiting: waiting.reversed()))
    (self.entries, self.state) = (files, state)
    threads = WorkerThreads(count: Self.threadCount, name: "fetch") {
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

  /// What to fetch next: nil inside for nothing at the moment, nil for nothing any more.
  private static func next(
    _ files: [Entry], _ state: Monitor<State>
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

  private static func fetch(_ entry: Entry, _ range: Range<Int>) throws(StorageError) {
    for missing in entry.file.missing(in: range) {
      try entry.remote.read(RangeSink(entry.file.descriptor, missing, of: entry.remote.facts))
      entry.file.note(missing)
    }
  }

  /// Ends all that is under way.
  ///
  /// - Throws: why something did not arrive.
  package func end() throws(StorageError) {
    state.withLock { $0.isEnded = true }
    threads.join()
    if let error = state.withLock({ $0.error }) {
      throw error.isChange ? Store.replaced(error) : error
    }
  }
}

extension Store {
  /// Begins to fetch parts of objects into files of their own.
  ///
  /// - Parameters:
  ///   - parts: what is known to be needed.
  ///   - address: the whole address of one whose query is a secret.
  ///   - failed: called once where something does not arrive.
  /// - Returns: what is under way, to be ended.
  /// - Throws: where there is no room, or an object is not there any more.
  package func fetch(
    _ parts: [PartialDownloads.Part], address: (String) -> String? = { _ in nil },
    failed: @escaping @Sendable () -> Void
  ) throws(StorageError) -> PartialDownloads {
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
    return PartialDownloads(entries, cancellation: cache.cancellation, failed: failed)
  }

  /// The file of an object that is in the cache as a whole; nil where it is not.
  package func whole(_ object: StoredObject) -> String? {
    // What an address holds is only known once it is asked.
    guard case .object? = try? Location(object.location), let remote = try? remote(object, nil)
    else {
      return nil
    }
    return cache.whole(remote)
  }
}
