import TesseraMessages
import TesseraSystem
import TesseraTimeline

extension ObjectStore {
  /// Fetches the content of a location: one object, or all objects below a prefix.
  ///
  /// - Parameters:
  ///   - location: the location. For a manifest or playlist in a bucket, the objects beside it are
  ///     fetched too.
  ///   - isNamedByUser: true if the user has named the location, false if a recording has.
  ///   - progress: called with the bytes arrived and the total, on any thread.
  /// - Returns: the paths of the fetched files.
  /// - Throws: ``StorageError`` if the object does not exist, is not readable, is too large, or
  ///   does not arrive.
  package func fetch(
    _ location: Location, isNamedByUser: Bool = true,
    progress: @escaping @Sendable (_ arrived: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(StorageError) -> FetchedFile {
    for _ in 0..<2 {
      do throws(StorageError) {
        return try fetchOnce(location, isNamedByUser: isNamedByUser, progress: progress)
      } catch {
        guard error.isChange else { throw error }
      }
    }
    // A disagreement in both attempts is no coincidence, so a retry would not help.
    throw StorageError(
      .failure,
      "cannot fetch \(location): the server's responses contradict the object's size or tag, "
        + "twice; check that nothing writes there.")
  }

  private func fetchOnce(
    _ location: Location, isNamedByUser: Bool, progress: @escaping Progress
  ) throws(StorageError) -> FetchedFile {
    switch location {
    case .file(let path): return FetchedFile(path: path, folder: path, name: path)
    case .web(let address):
      let found = try web.find(address, isNamedByUser: isNamedByUser)
      let object = RemoteObject(
        name: "\(location)", facts: found.facts, discriminator: Self.unsignedQuery(address)
      ) {
        sink throws(StorageError) in try HTTPStore.read(found, into: sink)
      }
      return try show(location, object, progress)
    case .object(let bucket, let key):
      if key.isEmpty || key.hasSuffix("/") {
        return try prefix(bucket, key, called: location, progress)
      }
      if Self.isManifest(key) { return try manifest(bucket, key, location, progress) }
      return try object(bucket, key, location, progress)
    }
  }

  /// Returns the query of an address without its signature, which differs each time.
  static func unsignedQuery(_ address: String) -> String {
    let query = address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
    let parts = query.split(separator: "&").map { part in
      (part: part, name: part.prefix { $0 != "=" }.lowercased())
    }
    let names = Set(parts.map(\.name))
    // Short and common names count as part of a signature only if the signature is present.
    let signed = signatures.union(names.contains("signature") ? ["policy", "hash-algorithm"] : [])
      .union(names.isSuperset(of: ["sv", "sig"]) ? azure : [])
    return parts.filter { _, name in
      !signed.contains(name) && !["x-amz-", "x-goog-"].contains(where: name.hasPrefix)
    }.map(\.part).joined(separator: "&")
  }

  /// The parameters of signatures of CloudFront, and of Amazon S3 and Google before version 4.
  private static let signatures: Set = [
    "signature", "expires", "awsaccesskeyid", "key-pair-id", "googleaccessid",
  ]
  /// The parameters of Azure's shared access signatures.
  private static let azure: Set = [
    "sv", "ss", "srt", "sr", "sp", "st", "se", "sip", "spr", "si", "sig", "skoid", "sktid", "skt",
    "ske", "sks", "skv", "saoid", "suoid", "scid", "sdd", "ses",
  ]

  /// The extensions of documents that may name files beside them.
  private static let manifests: Set = ["json", "yaml", "yml", "jsonl", "ndjson", "txt", "m3u8"]

  /// True if an object may name others beside it.
  static func isManifest(_ key: String) -> Bool {
    key.split(separator: ".").last.map { manifests.contains($0.lowercased()) } ?? false
  }

  private typealias Progress = @Sendable (Int, Int) -> Void

  /// Fetches an object, or all objects below its key if there is no object with that key.
  private func object(
    _ bucket: String, _ key: String, _ location: Location, _ progress: @escaping Progress
  ) throws(StorageError) -> FetchedFile {
    do throws(StorageError) {
      let facts = try s3.facts(bucket, key)
      return try show(location, remote(bucket, key, facts), progress)
    } catch {
      guard error.isAbsence else { throw error }
      let folder = Location.object(bucket: bucket, key: key + "/")
      do throws(StorageError) {
        return try prefix(bucket, key + "/", called: folder, progress)
      } catch let other {
        // Without permission to list, report the error of the read.
        throw other.kind == .failure ? error : other
      }
    }
  }

  /// Fetches a manifest and the objects beside it.
  private func manifest(
    _ bucket: String, _ key: String, _ location: Location, _ progress: @escaping Progress
  ) throws(StorageError) -> FetchedFile {
    let folder = key.folderPath
    let name = location.name
    let all = try prefix(
      bucket, folder, called: .object(bucket: bucket, key: folder), progress, requiring: key)
    return FetchedFile(
      path: "\(all.folder)/\(name)", folder: all.folder, name: all.name, objects: all.objects)
  }

  func remote(_ bucket: String, _ key: String, _ facts: ObjectMetadata) -> RemoteObject {
    let s3 = s3
    return RemoteObject(name: "\(Location.object(bucket: bucket, key: key))", facts: facts) {
      sink throws(StorageError) in try s3.read(bucket, key, into: sink)
    }
  }

  private func show(
    _ location: Location, _ object: RemoteObject, _ progress: @escaping Progress
  ) throws(StorageError) -> FetchedFile {
    guard let name = Self.relative(location.name), !name.contains("/") else {
      throw StorageError(.usage, "\(location) has no name that a file can have.")
    }
    let folder = try show("\(location)", [(name, object)], progress)
    let text = "\(location)"
    return FetchedFile(
      path: "\(folder)/\(name)", folder: folder,
      name: text.hasSuffix("/\(location.name)")
        ? String(text.dropLast(location.name.count + 1)) : text,
      objects: ["\(folder)/\(name)": object.stored])
  }

  private func show(
    _ name: String, _ objects: [(path: String, remote: RemoteObject)],
    _ progress: @escaping Progress
  ) throws(StorageError) -> String {
    let total = objects.reduce(0) { sum, object in
      let (next, overflow) = sum.addingReportingOverflow(object.remote.facts.size)
      return overflow ? .max : next
    }
    guard total <= limits.inputSize else {
      throw StorageError(
        .usage,
        "\(name) has \(total) bytes, more than the \(limits.inputSize) that are fetched at most; raise "
          + "that with \(option: "max-input-size").")
    }
    let counter = ConditionLock(0)
    let files = try cache.fetch(objects.map(\.remote)) { count in
      progress(
        counter.withLock {
          $0 += count
          return $0
        }, total)
    }
    return try cache.view(name, Array(zip(objects.map(\.path), files)).map { ($0, $1) })
  }

  private func prefix(
    _ bucket: String, _ prefix: String, called location: Location,
    _ progress: @escaping Progress, requiring key: String? = nil
  ) throws(StorageError) -> FetchedFile {
    let entries = try s3.list(bucket, prefix: prefix, limit: limits.objectCount)
    guard !entries.isEmpty, key == nil || entries.contains(where: { $0.key == key }) else {
      throw .absent(
        "cannot fetch \(key.map { .object(bucket: bucket, key: $0) } ?? location): it does not exist; "
          + "check its name.")
    }
    var objects: [(path: String, remote: RemoteObject)] = []
    for entry in entries where !(entry.key.hasSuffix("/") && entry.facts.size == 0) {
      guard let path = Self.relative(String(entry.key.dropFirst(prefix.count))) else {
        throw StorageError(
          .failure,
          "\(Location.object(bucket: bucket, key: entry.key)) has a key that no file can have; rename "
            + "it or name the objects one by one.")
      }
      objects.append((path, remote(bucket, entry.key, entry.facts)))
    }
    let folder = try show("\(location)", objects, progress)
    let text = "\(location)"
    return FetchedFile(
      path: folder, folder: folder, name: text.hasSuffix("/") ? String(text.dropLast()) : text,
      objects: Dictionary(
        objects.map { ("\(folder)/\($0.path)", $0.remote.stored) }, uniquingKeysWith: { $1 }))
  }

  /// Returns a key as a relative file path, or `nil` if it cannot be a path.
  private static func relative(_ key: String) -> String? {
    let parts = key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(
      Substring.init)
    let isPath = parts.allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= 255 && !$0.utf8.contains(0)
    }
    return isPath ? key : nil
  }
}
