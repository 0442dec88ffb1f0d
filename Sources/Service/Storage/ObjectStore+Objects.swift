import Glibc
import TesseraMessages
import TesseraSystem

extension ObjectStore {
  /// Lists the objects below a prefix. `name` is the rest of the key after the prefix.
  ///
  /// - Throws: ``StorageError``, also if there are more objects than the limits allow.
  package func objects(below prefix: Location) throws(StorageError) -> [(
    name: String, object: ObjectIdentity
  )] {
    guard case .object(let bucket, let key) = prefix else {
      throw StorageError(.usage, "\(prefix) has no objects below it; name a prefix in a bucket.")
    }
    return try s3.list(bucket, prefix: key, limit: limits.objectCount).map {
      (
        String($0.key.dropFirst(key.count)),
        ObjectIdentity(location: "\(Location.object(bucket: bucket, key: $0.key))", facts: $0.facts)
      )
    }
  }

  /// Lists the names directly below a prefix: objects, and prefixes with a final slash.
  ///
  /// - Throws: ``StorageError``, also if there are more than `limit` names.
  package func children(of prefix: Location, limit: Int) throws(StorageError) -> [String] {
    guard case .object(let bucket, let key) = prefix else {
      throw StorageError(.usage, "\(prefix) has no objects below it; name a prefix in a bucket.")
    }
    return try s3.children(bucket, prefix: key, limit: limit).map {
      String($0.dropFirst(key.count))
    }.filter { !$0.isEmpty }
  }

  /// Returns the content of a small object, or `nil` if there is none.
  ///
  /// - Throws: ``StorageError``, also if the object has more than `count` bytes.
  package func bytes(
    of location: Location, atMost count: Int = 8 << 20
  ) throws(StorageError) -> [UInt8]? {
    let (bucket, key) = try Self.object(location)
    let sink = MemorySink(limit: count)
    do throws(StorageError) {
      _ = try s3.success("fetch \(location)", into: sink) {
        S3Client.UnsignedRequest(bucket: bucket, key: key)
      }
    } catch {
      guard error.isAbsence else { throw error }
      return nil
    }
    return sink.bytes
  }

  /// Uploads a small object in one request.
  package func put(_ bytes: [UInt8], at location: Location) throws(StorageError) {
    let (bucket, key) = try Self.object(location)
    try s3.put(bytes, bucket, key, type: MIMEType.name(of: location.name))
  }

  /// Uploads a file and returns the identity of the object.
  package func store(_ file: String, at location: Location) throws(StorageError) -> ObjectIdentity {
    let (bucket, key) = try Self.object(location)
    try upload(file, to: location)
    return ObjectIdentity(location: "\(location)", facts: try s3.facts(bucket, key))
  }

  /// Fetches known objects and fails if one of them has been replaced.
  ///
  /// - Parameters:
  ///   - objects: the identities of the objects.
  ///   - address: returns the full address of an object whose stored location omits a secret query.
  /// - Returns: the files in the cache, in the order of `objects`. The caller must not change them.
  /// - Throws: ``StorageError`` if an object has been replaced or does not arrive.
  package func fetch(
    _ objects: [ObjectIdentity], address: (String) -> String? = { _ in nil }
  ) throws(StorageError) -> [String] {
    var remotes: [RemoteObject] = []
    for object in objects { remotes.append(try remote(object, address(object.location))) }
    do throws(StorageError) {
      return try cache.fetch(remotes)
    } catch {
      throw error.isChange ? Self.replaced(error) : error
    }
  }

  static func replaced(_ error: StorageError) -> StorageError {
    StorageError(
      .failure,
      UserMessage(
        error.description.replacing(
          "it changed while it was fetched; run the command again",
          with: "it has changed since the plan was made; make the plan again")))
  }

  func remote(
    _ object: ObjectIdentity, _ address: String?
  ) throws(StorageError) -> RemoteObject {
    let location: Location
    do throws(LocationError) {
      location = try Location(address ?? object.location)
    } catch {
      throw StorageError(.usage, "\(error)")
    }
    switch location {
    case .object(let bucket, let key):
      return remote(bucket, key, object.facts)
    case .web(let address):
      let found = try web.find(address, isNamedByUser: true)
      return RemoteObject(
        name: object.location, facts: object.facts, discriminator: Self.unsignedQuery(address)
      ) { sink throws(StorageError) in try HTTPStore.read(found, into: sink) }
    case .file(let path):
      throw StorageError(.failure, "\(file: path) is a file of another machine.")
    }
  }

  /// Aborts the multipart uploads below a prefix that killed processes of this user on this machine
  /// have left open. Uploads of other machines are in no record and stay open.
  package func endAbandonedUploads(below prefix: Location) {
    guard case .object(let bucket, let key) = prefix else { return }
    s3.endAbandoned(bucket) { $0.hasPrefix(key) }
  }
}
