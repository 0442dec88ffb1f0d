import TesseraTimeline

/// Queries about inputs and outputs that fetch no content.
extension ObjectStore {
  /// Returns the identity of all objects at a location, which changes if one of them is replaced.
  ///
  /// - Parameters:
  ///   - location: an input. For a manifest in a bucket, the objects beside it count too.
  ///   - isNamedByUser: true if the user has named the location, false if a recording has.
  ///   - others: locations below a prefix that are not part of the input.
  /// - Returns: a line for each object, without signatures; `nil` if a server sends neither an ETag
  ///   nor a Last-Modified header.
  /// - Throws: ``StorageError`` if an object does not exist or is not readable.
  package func identity(
    of location: Location, isNamedByUser: Bool = true, except others: Set<Location> = []
  ) throws(StorageError) -> [String]? {
    switch location {
    case .file: return []
    case .web(let address):
      let facts = try web.find(address, isNamedByUser: isNamedByUser).facts
      return Self.line("\(location)?\(Self.unsignedQuery(address))", facts).map { [$0] }
    case .object(let bucket, let key):
      if let folder = Self.listed(key) { return try lines(bucket, below: folder, others) }
      do throws(StorageError) {
        return Self.line("\(location)", try s3.facts(bucket, key)).map { [$0] }
      } catch {
        guard error.isAbsence else { throw error }
        return try lines(bucket, below: key + "/", others)
      }
    }
  }

  /// Returns the prefix whose objects are all fetched for `key`, or `nil` if `key` is a single
  /// object.
  private static func listed(_ key: String) -> String? {
    if key.isEmpty || key.hasSuffix("/") { return key }
    return isManifest(key) ? key.folderPath : nil
  }

  private func lines(
    _ bucket: String, below prefix: String, _ others: Set<Location>
  ) throws(StorageError) -> [String]? {
    let entries = try s3.list(bucket, prefix: prefix, limit: limits.objectCount).filter {
      !others.contains(.object(bucket: bucket, key: $0.key))
    }
    let lines = entries.compactMap {
      Self.line("\(Location.object(bucket: bucket, key: $0.key))", $0.facts)
    }
    return lines.count == entries.count ? lines : nil
  }

  private static func line(_ name: String, _ facts: ObjectMetadata) -> String? {
    (facts.tag ?? facts.modified).map { "\(name) \(facts.size) \($0)" }
  }

  /// True if an object exists at `location`.
  package func holds(_ location: Location) throws(StorageError) -> Bool {
    let (bucket, key) = try Self.object(location)
    do throws(StorageError) {
      _ = try s3.facts(bucket, key)
      return true
    } catch {
      guard error.isAbsence else { throw error }
      return false
    }
  }

  /// Returns the provenance string that ``upload(_:to:made:)`` stored with an object, or `nil` if
  /// there is no object or no string.
  package func made(_ location: Location) throws(StorageError) -> String? {
    let (bucket, key) = try Self.object(location)
    return try s3.made(bucket, key)
  }
}
