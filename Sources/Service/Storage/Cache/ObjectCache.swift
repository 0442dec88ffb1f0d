import Foundation
import Glibc
import TesseraSystem

/// An object that can be fetched.
struct RemoteObject: Sendable {
  /// Where it is, as people read it.
  let name: String
  let facts: ObjectFacts
  /// What distinguishes it from others of that name: an address may have a query.
  var discriminator = ""
  /// Fetches what a sink does not have.
  let read: @Sendable (RangeSink) throws(StorageError) -> Void

  /// True if a file at `path` has all of its bytes.
  func isWhole(at path: String) -> Bool {
    FileSystem.exists(path) && FileSystem.byteCount(of: path) == facts.size
  }

  /// What it is, for others.
  var stored: StoredObject { StoredObject(location: name, facts: facts) }

  /// What its file in the cache is called: the hash of what it is, as keys are not names of files.
  var identity: String {
    let tag = facts.tag ?? facts.modified ?? ""
    return Digest.text("\(name)\n\(discriminator)\n\(facts.size)\n\(tag)")
  }
}

/// Objects that were fetched, in files named by hashes of what they are; those that were used
/// longest ago are removed for new ones. Several processes may share it.
struct ObjectCache: Sendable {
  /// The folder.
  let folder: String
  /// How many bytes it holds at most, besides those that are in use.
  var limit = 64 << 30
  var threads = 4
  let cancellation: Cancellation

  static let chunkSize = 8 << 20
  /// What is left free of the file system.
  private static let reserve = 64 << 20

  var objects: String { "\(folder)/objects" }
  var views: String { "\(folder)/views" }

  /// Fetches objects that are not there yet, in ranges on several threads; what an earlier process
  /// began is completed.
  ///
  /// - Parameters:
  ///   - remotes: the objects.
  ///   - progress: called with the bytes of each range that has arrived, from any thread.
  /// - Returns: the objects' files, in their order.
  /// - Throws: where one does not arrive, or there is no room.
  func fetch(
    _ remotes: [RemoteObject], progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws(StorageError) -> [String] {
    try makeFolders()
    let paths = remotes.map { "\(objects)/\($0.identity)" }
    var seen: Set<String> = []
    let missing = zip(remotes, paths).filter { remote, path in
      seen.insert(path).inserted && !remote.isWhole(at: path)
    }.map(\.0)
    for path in paths { touch(path) }
    try makeRoom(for: missing)
    let queue = Monitor(DownloadQueue(missing))
    try Parallel.run(max(1, threads), threads: threads, name: "fetch") {
      _ throws(StorageError) in
      while let (download, range) = try next(queue) {
        do throws(StorageError) {
          try download.fetch(range)
          progress(range.count)
          if queue.withLock({ _ in download.note(range) }) { try download.finish() }
        } catch {
          queue.withLock { $0.isStopped = true }
          throw error
        }
      }
    }
    for path in paths where !FileSystem.exists(path) {
      throw StorageError(.failure, "cannot write the cache \(folder): \(path) is missing.")
    }
    return paths
  }

  /// The file of an object that is there already, as a whole; nil where it is not.
  func whole(_ remote: RemoteObject) -> String? {
    let path = "\(objects)/\(remote.identity)"
    guard remote.isWhole(at: path) else { return nil }
    touch(path)
    return path
  }

  private func next(
    _ queue: Monitor<DownloadQueue>
  ) throws(StorageError) -> (Download, Range<Int>)? {
    guard !cancellation.isCancelled else { throw .stopped }
    return try queue.withLock { queue throws(StorageError) in
      try queue.next { remote throws(StorageError) in
        try Download(remote, in: objects, cancellation: cancellation)
      }
    }
  }

  private func makeFolders() throws(StorageError) {
    do throws(SystemError) {
      for path in [objects, views] { try FileSystem.makeFolder(path) }
    } catch {
      throw StorageError(
        .failure, "\(error); name a folder for what is fetched with \(option: "fetch-cache").")
    }
  }

  /// Marks a file as used now.
  private func touch(_ path: String) { _ = unsafe utimes(path, nil) }
}

extension ObjectCache {
  /// Removes what was used longest ago, until what is to be fetched fits.
  ///
  /// - Throws: where the file system has no room for it.
  private func makeRoom(for remotes: [RemoteObject]) throws(StorageError) {
    let sizes = remotes.map { max(0, $0.facts.size - begun($0)) }
    let needed = sizes.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
    let keep = Set(remotes.map(\.identity))
    var entries = used().filter { !keep.contains(String($0.name.prefix(64))) }
    var total = entries.reduce(0) { $0 + $1.size }
    func lacksRoom() -> Bool {
      guard let free = Disk.freeBytes(at: objects) else { return false }
      return free - Self.reserve < needed
    }
    while !entries.isEmpty, total > max(0, limit - min(needed, limit)) || lacksRoom() {
      let entry = entries.removeFirst()
      total -= entry.size
      FileSystem.remove("\(objects)/\(entry.name)")
    }
    guard !lacksRoom() else {
      throw StorageError(
        .failure,
        "there is no room in \(folder) for \(needed) bytes that are to be fetched; make room, or name "
          + "another folder with \(option: "fetch-cache").")
    }
  }

  /// Bytes of a file that an earlier process began.
  private func begun(_ remote: RemoteObject) -> Int {
    var status = stat()
    let path = "\(objects)/\(remote.identity).part"
    return unsafe stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }

  /// The files that no view uses, the one that was used longest ago first.
  private func used() -> [(name: String, size: Int, time: Int)] {
    removeOldViews()
    return FileSystem.names(in: objects).compactMap { name in
      var status = stat()
      guard unsafe stat("\(objects)/\(name)", &status) == 0, status.st_nlink == 1,
        !name.hasSuffix(".lock")
      else { return nil }
      // Another process may be fetching it.
      let isComplete = !name.contains(".")
      guard isComplete || status.st_mtim.tv_sec < ServiceDate.now - 3600 else { return nil }
      return (name, Int(status.st_blocks) * 512, status.st_mtim.tv_sec)
    }.sorted { ($0.time, $0.name) < ($1.time, $1.name) }
  }

  /// Removes views that were not used for a week.
  private func removeOldViews() {
    for name in FileSystem.names(in: views) {
      var status = stat()
      guard unsafe stat("\(views)/\(name)", &status) == 0,
        status.st_mtim.tv_sec < ServiceDate.now - 7 * 86_400
      else { continue }
      try? FileManager.default.removeItem(atPath: "\(views)/\(name)")
    }
  }

  /// A folder in which files of the cache have their own names.
  ///
  /// - Parameters:
  ///   - name: what it shows; the same again is the same folder.
  ///   - files: paths below it, and the files of the cache that are there.
  /// - Returns: the folder's path.
  /// - Throws: where it cannot be made.
  func view(_ name: String, _ files: [(path: String, file: String)]) throws(StorageError) -> String
  {
    let contents = files.map { "\($0.path)\n\($0.file)" }.joined(separator: "\n")
    let folder = "\(views)/\(Digest.text("\(name)\n\(contents)").prefix(32))"
    do throws(SystemError) {
      try FileSystem.makeFolder(folder)
      for (path, file) in files {
        let target = "\(folder)/\(path)"
        try FileSystem.makeFolder(URL(fileURLWithPath: target).deletingLastPathComponent().path)
        guard unsafe link(file, target) == 0 || errno == EEXIST else {
          throw SystemError("make", target)
        }
      }
    } catch {
      throw StorageError(.failure, "\(error); name another folder with \(option: "fetch-cache").")
    }
    touch(folder)
    return folder
  }
}
