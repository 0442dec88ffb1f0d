import TesseraSystem

/// Objects in buckets, by the REST interface of S3 (the "Amazon S3 API reference").
final class S3: Sendable {
  /// Where buckets are.
  struct Site: Hashable, Sendable {
    /// The server's address where the user has configured one; buckets are then parts of the path.
    var endpoint: WebAddress?
    var region = "us-east-1"
  }

  private let site: Site
  private let credentials: CredentialSource
  private let client: HTTPClient
  /// For what ends uploads, which is sent also once somebody has asked to stop.
  private let ending: HTTPClient
  let records: UploadRecords
  /// The regions that servers have named.
  private let regions = Monitor<[String: String]>([:])

  init(
    _ site: Site, credentials: CredentialSource, client: HTTPClient, ending: HTTPClient,
    records: UploadRecords
  ) {
    (self.site, self.credentials) = (site, credentials)
    (self.client, self.ending, self.records) = (client, ending, records)
  }

  /// A request to a bucket or an object.
  struct Call {
    var method = "GET"
    var bucket: String
    var key = ""
    var query: [(name: String, value: String)] = []
    var headers: [String: String] = [:]
    var body = RequestBody.none
    var isRepeatable = true
    /// Whether it ends an upload.
    var isEnding = false
  }

  /// Sends a request, in the bucket's region and with credentials that have not ended; a response
  /// that is not a success is returned too.
  func response(
    _ what: String, into sink: any BodySink = MemorySink(),
    _ call: () -> Call
  ) throws(StorageError) -> HTTPResponse {
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
        // Only the response to a GET says why.
        response = try client.send(what) { () throws(StorageError) in
          let range = ["range": "bytes=0-0"]
          return try signed(Call(bucket: bucket, key: asked.key, headers: range), region: region)
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

  /// True if `name` can be a region: AWS's, or any name of another server, such as `RegionOne`.
  static func isRegion(_ name: String) -> Bool {
    (1...63).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        [0x2d, 0x2e, 0x5f].contains($0) || (0x30...0x39).contains($0)
          || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
      }
  }

  /// Sends a request that must succeed.
  func success(
    _ what: String, into sink: any BodySink = MemorySink(), _ call: () -> Call
  ) throws(StorageError) -> HTTPResponse {
    let response = try response(what, into: sink, call)
    guard response.isSuccess else { throw response.error(what) }
    return response
  }

  /// The document that a request brings.
  ///
  /// - Throws: also where it is cut off, however often it is asked for, or not `isWhole`.
  func document(
    _ what: String, isWhole: @escaping (XMLElement) -> Bool, _ call: () -> Call
  ) throws(StorageError) -> XMLElement {
    let page = DocumentSink(isWhole: isWhole)
    _ = try success(what, into: page, call)
    do throws(XMLElement.Problem) { return try page.document() } catch {
      throw StorageError(.failure, "cannot \(what): the response is not XML: \(error.reason).")
    }
  }

  private func signed(_ call: Call, region: String) throws(StorageError) -> HTTPRequest {
    let (origin, path) = place(call.bucket, call.key, region)
    let query = call.query.map { "\(URLText.encoded($0.name))=\(URLText.encoded($0.value))" }
    let text = origin + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    guard let address = WebAddress(text) else {
      throw StorageError(.failure, "s3://\(call.bucket) has no address in region \(region).")
    }
    var payload = Signature.unsignedPayload
    // Over plain HTTP, nothing else keeps the body as it is.
    if address.scheme == "http" {
      guard let digest = Digest.sha256(call.body) else {
        throw StorageError(.failure, "the file to upload cannot be read.")
      }
      payload = digest.hexadecimal
    }
    let request = Signature.Request(
      method: call.method, host: address.host, path: path, query: call.query,
      headers: call.headers, payload: payload)
    let headers = Signature(try credentials.current(), region: region).headers(
      of: request, date: ServiceDate.basic(ServiceDate.now))
    return HTTPRequest(
      method: call.method, address: address, headers: headers, body: call.body,
      isRepeatable: call.isRepeatable)
  }

  /// The server and the path of an object, escaped.
  private func place(_ bucket: String, _ key: String, _ region: String) -> (String, String) {
    let key = URLText.encoded(key, keepsSlashes: true)
    if let endpoint = site.endpoint {
      let base = endpoint.target.hasSuffix("/") ? endpoint.target.dropLast() : endpoint.target[...]
      return (endpoint.origin, "\(base)/\(bucket)" + (key.isEmpty ? "" : "/\(key)"))
    }
    let suffix = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    let isHostName = bucket.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d
    }
    // A certificate for all buckets does not cover those with dots.
    return isHostName
      ? ("https://\(bucket).s3.\(region).\(suffix)", "/\(key)")
      : ("https://s3.\(region).\(suffix)", "/\(bucket)" + (key.isEmpty ? "" : "/\(key)"))
  }
}

extension HTTPResponse {
  /// Whether the credentials or the address were good once.
  var hasExpired: Bool {
    let codes = ["ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "RequestExpired"]
    return errorCode.map(codes.contains) ?? false
      || errorMessage?.lowercased().contains("has expired") ?? false
  }

  /// Why `what` failed.
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
