import TesseraMessages
import TesseraSystem

extension S3Client {
  /// An object of a listing.
  struct ListedObject: Hashable, Sendable {
    var key: String
    var facts: ObjectMetadata
  }

  /// Requests the size and tag of an object.
  func facts(_ bucket: String, _ key: String) throws(StorageError) -> ObjectMetadata {
    let what = "read s3://\(bucket)/\(key)"
    let response = try response(what) { UnsignedRequest(method: "HEAD", bucket: bucket, key: key) }
    // Only an empty object has no first byte.
    if response.status == 416 { return ObjectMetadata(size: 0, tag: response.headers["etag"]) }
    guard response.isSuccess else { throw response.error(what) }
    guard var facts = ObjectMetadata(response) else {
      throw StorageError(.failure, "cannot \(what): the server does not send its size.")
    }
    facts.hasRanges = true
    return facts
  }

  /// True if an object exists without the metadata that Tessera's uploads have.
  func holdsForeign(_ bucket: String, _ key: String) throws(StorageError) -> Bool {
    let what = "look at s3://\(bucket)/\(key)"
    let response = try response(what) { UnsignedRequest(method: "HEAD", bucket: bucket, key: key) }
    if response.status == 404 { return false }
    // Write-only credentials are refused. The upload is permitted then.
    if response.status == 403 { return false }
    guard response.isSuccess else { throw response.error(what) }
    return response.headers[Self.mark.name] == nil
  }

  /// Returns the provenance string in an object's metadata, or `nil` if there is no object or no
  /// string.
  func made(_ bucket: String, _ key: String) throws(StorageError) -> String? {
    let what = "look at s3://\(bucket)/\(key)"
    let response = try response(what) { UnsignedRequest(method: "HEAD", bucket: bucket, key: key) }
    return response.isSuccess ? response.headers[Self.source] : nil
  }

  /// The metadata header of an upload's provenance string.
  static let source = "x-amz-meta-tessera-made"

  /// The metadata header that marks an upload as Tessera's.
  static let mark = (name: "x-amz-meta-tessera", value: "output")

  /// Fetches the range of `sink`.
  func read(
    _ bucket: String, _ key: String, into sink: FileRangeSink
  ) throws(StorageError) {
    let what = "fetch s3://\(bucket)/\(key)"
    try sink.fill(what) { () throws(StorageError) in
      try response(what, into: sink) {
        UnsignedRequest(bucket: bucket, key: key, headers: sink.headers)
      }
    }
  }

  /// Lists the objects whose keys begin with `prefix`, in the order of their keys.
  ///
  /// - Throws: ``StorageError``, also if there are more than `limit` objects.
  func list(_ bucket: String, prefix: String, limit: Int) throws(StorageError) -> [ListedObject] {
    var entries: [ListedObject] = []
    try pages(bucket, prefix) { root throws(StorageError) in
      entries += root.all("Contents").compactMap(Self.entry).filter { $0.key.hasPrefix(prefix) }
      try Self.check(entries.count, limit, bucket, prefix)
    }
    return entries
  }

  /// Lists the keys that begin with `prefix`, each cut off after the next slash, without duplicates
  /// and sorted.
  ///
  /// - Throws: ``StorageError``, also if there are more than `limit` keys.
  func children(_ bucket: String, prefix: String, limit: Int) throws(StorageError) -> [String] {
    var keys: Set<String> = []
    try pages(bucket, prefix, [("delimiter", "/")]) { root throws(StorageError) in
      let found =
        root.all("Contents").compactMap { $0.first("Key")?.text }
        + root.all("CommonPrefixes").compactMap { $0.first("Prefix")?.text }
      keys.formUnion(found.map(Self.decoded).filter { $0.hasPrefix(prefix) })
      try Self.check(keys.count, limit, bucket, prefix)
    }
    return keys.sorted()
  }

  private static func check(
    _ count: Int, _ limit: Int, _ bucket: String, _ prefix: String
  ) throws(StorageError) {
    guard count > limit else { return }
    throw StorageError(
      .usage, "s3://\(bucket)/\(prefix) has more than \(limit) objects; name a smaller prefix.")
  }

  /// Calls `take` with each page of a listing.
  private func pages(
    _ bucket: String, _ prefix: String, _ more: [(name: String, value: String)] = [],
    _ take: (XMLElement) throws(StorageError) -> Void
  ) throws(StorageError) {
    let what = "list s3://\(bucket)/\(prefix)"
    var token: String?
    repeat {
      var query = [("list-type", "2"), ("prefix", prefix), ("encoding-type", "url")] + more
      if let token { query.append(("continuation-token", token)) }
      let asked = query
      let root = try document(
        what, isWhole: { !$0.isTruncated || $0.first("NextContinuationToken") != nil }
      ) { UnsignedRequest(bucket: bucket, query: asked) }
      try take(root)
      let following = root.first("NextContinuationToken")?.text
      guard following == nil || following != token else {
        throw StorageError(.failure, "cannot \(what): the server repeats a page.")
      }
      token = root.isTruncated ? following : nil
    } while token != nil
  }

  private static func entry(_ element: XMLElement) -> ListedObject? {
    guard let key = element.first("Key")?.text,
      let size = element.first("Size").flatMap({ Int($0.text) }), size >= 0
    else { return nil }
    return ListedObject(
      key: decoded(key), facts: ObjectMetadata(size: size, tag: element.first("ETag")?.text))
  }

  /// Decodes a key of a listing, in which a plus stands for a blank.
  static func decoded(_ key: String) -> String {
    PercentEncoding.decoded(key.map { $0 == "+" ? "%20" : String($0) }.joined())
  }
}

extension XMLElement {
  /// True if another page of the listing follows.
  var isTruncated: Bool { first("IsTruncated")?.text == "true" }
}
