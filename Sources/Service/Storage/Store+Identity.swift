import TesseraSystem

/// What is asked of inputs and outputs without fetching them.
extension Store {
  /// What lies at a location, as lines that are others once any of it is another object.
  ///
  /// - Parameters:
  ///   - location: an input. A manifest in a bucket comes with what lies beside it.
  ///   - isNamedByUser: whether the user has named it, and not a recording.
  ///   - others: locations below a prefix that are not part of the input.
  /// - Returns: a line for each object, without signatures; nil where a server does not tell one
  ///   object from a later one.
  /// - Throws: where it is not there or may not be read.
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

  /// The prefix whose objects are all fetched for a key; nil where that is one object.
  private static func listed(_ key: String) -> String? {
    if key.isEmpty || key.hasSuffix("/") { return key }
    return isManifest(key) ? folder(of: key) : nil
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

  private static func line(_ name: String, _ facts: ObjectFacts) -> String? {
    (facts.tag ?? facts.modified).map { "\(name) \(facts.size) \($0)" }
  }

  /// Whether an object is there.
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

  /// What an object says that it was made from, which ``upload(_:to:made:)`` was given; nil where it
  /// is not there or says nothing.
  package func made(_ location: Location) throws(StorageError) -> String? {
    let (bucket, key) = try Self.object(location)
    return try s3.made(bucket, key)
  }
}
