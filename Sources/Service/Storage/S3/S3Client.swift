import TesseraMessages
import TesseraSystem

/// A client of S3's REST interface (the "Amazon S3 API reference").
final class S3Client: Sendable {
  /// The endpoint and region of the buckets.
  struct Endpoint: Hashable, Sendable {
    /// The server's address if the user has configured one; bucket names are then part of the path.
    var endpoint: WebAddress?
    var region = "us-east-1"
  }

  private let site: Endpoint
  private let credentials: CredentialChain
  private let client: HTTPClient
  /// The client that aborts uploads. It works even after cancellation.
  private let ending: HTTPClient
  let records: UploadRecords
  /// The regions of buckets, as servers have reported them.
  private let regions = ConditionLock<[String: String]>([:])

  init(
    _ site: Endpoint, credentials: CredentialChain, client: HTTPClient, ending: HTTPClient,
    records: UploadRecords
  ) {
    (self.site, self.credentials) = (site, credentials)
    (self.client, self.ending, self.records) = (client, ending, records)
  }

  /// A request to a bucket or an object, before it is signed.
  struct UnsignedRequest {
    var method = "GET"
    var bucket: String
    var key = ""
    var query: [(name: String, value: String)] = []
    var headers: [String: String] = [:]
    var body = RequestBody.none
    var isRepeatable = true
    /// True if the request aborts an upload.
    var isEnding = false
  }

  /// Sends a request and returns its response, also if it is an error. Follows the bucket's region
  /// and renews expired credentials, once each. ``HTTPClient`` retries temporary failures.
  func response(
    _ what: String, into sink: any BodySink = MemorySink(),
    _ call: () -> UnsignedRequest
  ) throws(StorageError) -> HTTPResponseHead {
    var isRefreshed = false
    var hasMoved = false
    while true {
      let asked = call()
      let (bucket, client) = (asked.bucket, asked.isEnding ? ending : client)
      let region = regions.withLock { $0[bucket] } ?? site.region
      var response = try client.send(what, into: sink) { () throws(StorageError) in
        try signed(call(), region: region)
      }
      if asked.method == "HEAD", [301, 400, 403].contains(response.status) {
        // Only a response to GET has a body with the reason.
        response = try client.send(what) { () throws(StorageError) in
          let range = ["range": "bytes=0-0"]
          return try signed(
            UnsignedRequest(bucket: bucket, key: asked.key, headers: range), region: region)
        }
      }
      if response.isSuccess { return response }
      if !hasMoved, let named = response.namedRegion, named != region {
        hasMoved = true
        regions.withLock { $0[bucket] = named }
        continue
      }
      if response.hasExpired, !isRefreshed, try credentials.refresh() {
        isRefreshed = true
        continue
      }
      return response
    }
  }

  /// True if `name` is a valid region name: AWS's, or a name of another server, such as
  /// `RegionOne`.
  static func isRegion(_ name: String) -> Bool {
    (1...63).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        [0x2d, 0x2e, 0x5f].contains($0) || (0x30...0x39).contains($0)
          || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
      }
  }

  /// Sends a request that must succeed.
  func success(
    _ what: String, into sink: any BodySink = MemorySink(), _ call: () -> UnsignedRequest
  ) throws(StorageError) -> HTTPResponseHead {
    let response = try response(what, into: sink, call)
    guard response.isSuccess else { throw response.error(what) }
    return response
  }

  /// Sends a request and parses the XML document of its response.
  ///
  /// - Throws: ``StorageError``, also if the document is truncated or fails `isWhole` in every
  ///   attempt.
  func document(
    _ what: String, isWhole: @escaping (XMLElement) -> Bool, _ call: () -> UnsignedRequest
  ) throws(StorageError) -> XMLElement {
    let page = XMLBodySink(isWhole: isWhole)
    _ = try success(what, into: page, call)
    do throws(XMLElement.Problem) { return try page.document() } catch {
      throw StorageError(.failure, "cannot \(what): the response is not XML: \(error.reason).")
    }
  }

  private func signed(_ call: UnsignedRequest, region: String) throws(StorageError) -> HTTPRequest {
    let (origin, path) = place(call.bucket, call.key, region)
    let query = call.query.map {
      "\(PercentEncoding.encoded($0.name))=\(PercentEncoding.encoded($0.value))"
    }
    let text = origin + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    guard let address = WebAddress(text) else {
      throw StorageError(.failure, "s3://\(call.bucket) has no address in region \(region).")
    }
    var payload = RequestSigner.unsignedPayload
    // Over plain HTTP, only the signed digest protects the body.
    if address.scheme == "http" {
      guard let digest = RequestDigest.sha256(call.body) else {
        throw StorageError(.failure, "the file to upload cannot be read.")
      }
      payload = digest.hexadecimal
    }
    let request = RequestSigner.Request(
      method: call.method, host: address.host, path: path, query: call.query,
      headers: call.headers, payload: payload)
    let headers = RequestSigner(try credentials.current(), region: region).headers(
      of: request, date: AWSDate.basic(AWSDate.now))
    return HTTPRequest(
      method: call.method, address: address, headers: headers, body: call.body,
      isRepeatable: call.isRepeatable)
  }

  /// Returns the origin of the server and the percent-encoded path of an object.
  private func place(_ bucket: String, _ key: String, _ region: String) -> (String, String) {
    let key = PercentEncoding.encoded(key, keepsSlashes: true)
    if let endpoint = site.endpoint {
      let base = endpoint.target.hasSuffix("/") ? endpoint.target.dropLast() : endpoint.target[...]
      return (endpoint.origin, "\(base)/\(bucket)" + (key.isEmpty ? "" : "/\(key)"))
    }
    let suffix = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    let isHostName = bucket.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d
    }
    // A wildcard certificate does not match bucket names with dots.
    return isHostName
      ? ("https://\(bucket).s3.\(region).\(suffix)", "/\(key)")
      : ("https://s3.\(region).\(suffix)", "/\(bucket)" + (key.isEmpty ? "" : "/\(key)"))
  }
}

extension HTTPResponseHead {
  /// True if the server reports that the credentials or the signed address have expired.
  var hasExpired: Bool {
    let codes = ["ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "RequestExpired"]
    return errorCode.map(codes.contains) ?? false
      || errorMessage?.lowercased().contains("has expired") ?? false
  }

  /// Returns the error for a response that is not a success. `what` is the attempted action.
  func error(_ what: String) -> StorageError {
    if hasExpired {
      return StorageError(
        .temporary,
        "cannot \(what): the credentials or the address have expired; get new ones and try again.")
    }
    let code = errorCode.map { " (\($0))" } ?? ""
    if isClockWrong {
      return StorageError(
        .failure, "cannot \(what): the clock of this machine is wrong\(code); set it.")
    }
    if let namedRegion {
      return StorageError(
        .failure,
        "cannot \(what): the server expects the region \(namedRegion)\(code); check AWS_REGION.")
    }
    switch status {
    case 404 where errorCode == "NoSuchUpload":
      return .ended("cannot \(what): another process has ended the upload; try again.")
    case 404: return .absent("cannot \(what): it does not exist\(code); check the name.")
    case 401, 403:
      return StorageError(
        .failure,
        "cannot \(what): access is denied\(code); check the credentials and their permissions.")
    case 412, 416:
      return .changed("cannot \(what): it changed while it was fetched; run the command again.")
    default: return StorageError(.failure, "cannot \(what): the server returned \(status)\(code).")
    }
  }
}
