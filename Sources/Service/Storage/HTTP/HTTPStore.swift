import TesseraMessages
import TesseraSystem

/// Finds and reads objects at `https` addresses.
struct HTTPStore: Sendable {
  /// The client for addresses that the user has named.
  let client: HTTPClient
  /// The client for addresses from a recording and for redirects to other hosts. It connects to
  /// public addresses only.
  let guarded: HTTPClient
  /// The scheme, host and port of the endpoint that the user has configured, for which `http` is
  /// permitted.
  let endpoint: String?
  /// True if redirects to other hosts are followed.
  let followsToOtherHosts: Bool

  private static let maximumRedirects = 5

  /// The final address of an object after redirects, with its facts.
  struct Resource: Sendable {
    let address: WebAddress
    let client: HTTPClient
    let facts: ObjectMetadata
  }

  /// Requests the size and tag of the object at an address, and follows redirects.
  ///
  /// - Parameters:
  ///   - text: the address.
  ///   - isNamedByUser: true if the user has named the address, false if a recording has.
  /// - Returns: the final address and the object's facts.
  /// - Throws: ``StorageError`` if there is no object, or a redirect leads to a forbidden address.
  func find(_ text: String, isNamedByUser: Bool) throws(StorageError) -> Resource {
    guard var address = WebAddress(text) else {
      throw StorageError(
        .usage, "\(Location.withoutSecrets(text)) is not an address; write https://host/path.")
    }
    let what = "fetch \(address.publicText)"
    var client = isNamedByUser || address.origin == endpoint ? client : guarded
    for _ in 0...Self.maximumRedirects {
      guard address.scheme == "https" || address.origin == endpoint else {
        throw StorageError(
          .usage,
          "\(address.publicText) is not encrypted; use its https address, or name its server in "
            + "AWS_ENDPOINT_URL_S3.")
      }
      let (response, facts) = try probe(what, address, client)
      if let facts { return Resource(address: address, client: client, facts: facts) }
      guard [301, 302, 303, 307, 308].contains(response.status),
        let location = response.headers["location"]
      else { throw response.error(what) }
      guard let next = address.redirected(to: location) else {
        throw StorageError(.failure, "cannot \(what): the server redirects to an invalid address.")
      }
      if next.host != address.host {
        guard followsToOtherHosts else {
          throw StorageError(
            .usage,
            "cannot \(what): it redirects to another host, \(next.hostName); allow that with "
              + "\(option: "allow-redirects").")
        }
        client = guarded
      }
      guard next.scheme == "https" || next.origin == address.origin else {
        throw StorageError(.usage, "cannot \(what): it redirects to an address without encryption.")
      }
      address = next
    }
    throw StorageError(
      .failure, "cannot \(what): it redirects more than \(Self.maximumRedirects) times.")
  }

  /// Requests the first byte with GET, because a signed address may permit no other method.
  private func probe(
    _ what: String, _ address: WebAddress, _ client: HTTPClient
  ) throws(StorageError) -> (HTTPResponseHead, ObjectMetadata?) {
    let sink = FirstByteSink()
    let response = try client.send(what, into: sink) {
      HTTPRequest(address: address, headers: ["range": "bytes=0-0"])
    }
    // Only an empty object has no first byte.
    if response.status == 416 {
      return (response, ObjectMetadata(size: 0, tag: response.headers["etag"]))
    }
    guard response.isSuccess else { return (response, nil) }
    guard let facts = ObjectMetadata(response) else {
      throw StorageError(.failure, "cannot \(what): the server does not send its size.")
    }
    return (response, facts)
  }

  /// Fetches the range of `sink`.
  static func read(_ found: Resource, into sink: FileRangeSink) throws(StorageError) {
    let what = "fetch \(found.address.publicText)"
    try sink.fill(what) { () throws(StorageError) in
      try found.client.send(what, into: sink) {
        HTTPRequest(address: found.address, headers: sink.headers)
      }
    }
  }
}

/// Accepts a body of one byte, and ends the transfer of a longer body.
private final class FirstByteSink: BodySink {
  var problem: SinkProblem?
  let received = 0

  func begin(_ response: HTTPResponseHead) -> String? { nil }

  @unsafe func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= 1 else {
      problem = .enough
      return false
    }
    return true
  }
}
