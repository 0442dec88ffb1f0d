import Foundation
import Glibc
import TesseraMessages
import TesseraSystem

/// A remote object with the closure that reads its bytes.
struct RemoteObject: Sendable {
  /// The location without secrets, as shown in messages.
  let name: String
  let facts: ObjectMetadata
  /// Text that distinguishes objects of the same `name`, such as the unsigned part of an address's
  /// query.
  var discriminator = ""
  /// Fetches the bytes that the sink still lacks.
  let read: @Sendable (FileRangeSink) throws(StorageError) -> Void

  /// True if the file at `path` has the object's full size.
  func isWhole(at path: String) -> Bool {
    FileOperations.exists(path) && FileOperations.byteCount(of: path) == facts.size
  }

  /// The object's identity for use outside the cache.
  var stored: ObjectIdentity { ObjectIdentity(location: name, facts: facts) }

  /// The file name in the cache: a hash of name, discriminator, size and tag, because keys are not
  /// valid file names.
  var identity: String {
    let tag = facts.tag ?? facts.modified ?? ""
    return RequestDigest.text("\(name)\n\(discriminator)\n\(facts.size)\n\(tag)")
  }
}

/// A folder of fetched objects, each in a file named by the hash of its identity. The least
/// recently used files are removed to make room. Several processes may share the folder.
struct ObjectCache: Sendable {
  /// The path of the cache folder.
  let folder: String
  /// The maximum total size in bytes, not counting objects in use (default: 64 GiB).
  var limit = 64 << 30
  var threads = 4
  let cancellation: Cancellation

  static let chunkSize = 8 << 20
  /// The bytes of the file system that the cache leaves free.
  private static let reserve = 64 << 20

  var objects: String { "\(folder)/objects" }
  var views: String { "\(folder)/views" }

  /// Fetches the objects that are not yet in the cache, in ranges on several threads. Downloads
  /// that an earlier process started are completed.
  ///
  /// - Parameters:
  ///   - remotes: the objects.
  ///   - progress: called with the byte count of each range that has arrived, on any thread.
  /// - Returns: the paths of the files, in the order of `remotes`.
  /// - Throws: ``StorageError`` if an object does not arrive or there is no room.
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
    let queue = ConditionLock(RangeQueue(missing))
    try ParallelRunner.run(max(1, threads), threads: threads, name: "fetch") {
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
    for path in paths where !FileOperations.exists(path) {
      throw StorageError(
        .failure, "cannot write the cache \(file: folder): \(file: path) is missing.")
    }
    return paths
  }

  /// Returns the path of an object that is in the cache as a whole, or `nil` otherwise.
  func whole(_ remote: RemoteObject) -> String? {
    let path = "\(objects)/\(remote.identity)"
    guard remote.isWhole(at: path) else { return nil }
    touch(path)
    return path
  }

  private func next(
    _ queue: ConditionLock<RangeQueue>
  ) throws(StorageError) -> (ObjectDownload, Range<Int>)? {
    guard !cancellation.isCancelled else { throw .stopped }
    return try queue.withLock { queue throws(StorageError) in
      try queue.next { remote throws(StorageError) in
        try ObjectDownload(remote, in: objects, cancellation: cancellation)
      }
    }
  }

  private func makeFolders() throws(StorageError) {
    do throws(SystemError) {
      for path in [objects, views] { try FileOperations.makeFolder(path) }
    } catch {
      throw StorageError(
        .failure, "\(error); name a folder for what is fetched with \(option: "fetch-cache").")
    }
  }

  /// Sets the file's modification time to now, which marks it as recently used.
  private func touch(_ path: String) { _ = unsafe utimes(path, nil) }
}

extension ObjectCache {
  /// Removes the least recently used objects until the missing parts of `remotes` fit.
  ///
  /// - Throws: ``StorageError`` if the file system still has no room.
  private func makeRoom(for remotes: [RemoteObject]) throws(StorageError) {
    let sizes = remotes.map { max(0, $0.facts.size - begun($0)) }
    let needed = sizes.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
    let keep = Set(remotes.map(\.identity))
    var entries = used().filter { !keep.contains(String($0.name.prefix(64))) }
    var total = entries.reduce(0) { $0 + $1.size }
    func lacksRoom() -> Bool {
      guard let free = FileSystemInfo.freeBytes(at: objects) else { return false }
      return free - Self.reserve < needed
    }
    while !entries.isEmpty, total > max(0, limit - min(needed, limit)) || lacksRoom() {
      let entry = entries.removeFirst()
      total -= entry.size
      FileOperations.remove("\(objects)/\(entry.name)")
    }
    guard !lacksRoom() else {
      throw StorageError(
        .failure,
        "there is no room in \(file: folder) for \(needed) bytes that are to be fetched; make room, or name "
          + "another folder with \(option: "fetch-cache").")
    }
  }

  /// Returns the bytes already allocated for an object's `.part` file.
  private func begun(_ remote: RemoteObject) -> Int {
    var status = stat()
    let path = "\(objects)/\(remote.identity).part"
    return unsafe stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }

  /// Returns the files that no view links to, the least recently used first.
  private func used() -> [(name: String, size: Int, time: Int)] {
    removeOldViews()
    return FileOperations.names(in: objects).compactMap { name in
      var status = stat()
      guard unsafe stat("\(objects)/\(name)", &status) == 0, status.st_nlink == 1,
        !name.hasSuffix(".lock")
      else { return nil }
      // A recent `.part` file may belong to a running download.
      let isComplete = !name.contains(".")
      guard isComplete || status.st_mtim.tv_sec < AWSDate.now - 3600 else { return nil }
      return (name, Int(status.st_blocks) * 512, status.st_mtim.tv_sec)
    }.sorted { ($0.time, $0.name) < ($1.time, $1.name) }
  }

  /// Removes views that were not used for a week.
  private func removeOldViews() {
    for name in FileOperations.names(in: views) {
      var status = stat()
      guard unsafe stat("\(views)/\(name)", &status) == 0,
        status.st_mtim.tv_sec < AWSDate.now - 7 * 86_400
      else { continue }
      try? FileManager.default.removeItem(atPath: "\(views)/\(name)")
    }
  }

  /// Creates a view: a folder of hard links that gives cached files their own names.
  ///
  /// - Parameters:
  ///   - name: the label of the view. Equal names and files give the same folder.
  ///   - files: relative paths in the view, each with the path of its cached file.
  /// - Returns: the path of the folder.
  /// - Throws: ``StorageError`` if the folder or a link cannot be created.
  func view(_ name: String, _ files: [(path: String, file: String)]) throws(StorageError) -> String
  {
    let contents = files.map { "\($0.path)\n\($0.file)" }.joined(separator: "\n")
    let folder = "\(views)/\(RequestDigest.text("\(name)\n\(contents)").prefix(32))"
    do throws(SystemError) {
      try FileOperations.makeFolder(folder)
      for (path, file) in files {
        let target = "\(folder)/\(path)"
        try FileOperations.makeFolder(URL(fileURLWithPath: target).deletingLastPathComponent().path)
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
