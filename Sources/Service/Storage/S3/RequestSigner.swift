import TesseraSystem

/// Signs requests with AWS Signature Version 4 ("Signing AWS API requests" in the IAM user guide).
///
/// A path is signed as it is sent, escaped once: S3 does not normalize paths.
struct RequestSigner {
  /// The parts of a request that are signed.
  struct Request {
    var method: String
    /// The host, with the port if it is not the default port.
    var host: String
    /// The percent-encoded path, which begins with a slash.
    var path: String
    /// The names and values of the query, not escaped.
    var query: [(name: String, value: String)]
    /// The headers other than `host` and the headers that signing adds; names in lower case.
    var headers: [String: String]
    /// The payload's SHA-256 in hexadecimal digits, or `UNSIGNED-PAYLOAD`.
    var payload: String
  }

  static let unsignedPayload = "UNSIGNED-PAYLOAD"
  private static let algorithm = "AWS4-HMAC-SHA256"

  let credentials: Credentials
  let region: String
  let service: String

  init(_ credentials: Credentials, region: String, service: String = "s3") {
    (self.credentials, self.region, self.service) = (credentials, region, service)
  }

  /// Returns all headers of `request` except `host`, including the signature. `date` has the form
  /// `20130524T000000Z`.
  func headers(of request: Request, date: String) -> [String: String] {
    var headers = request.headers
    headers["x-amz-date"] = date
    headers["x-amz-content-sha256"] = request.payload
    headers["x-amz-security-token"] = credentials.token
    var signed = headers
    signed["host"] = request.host
    let names = signed.keys.sorted()
    let scope = "\(date.prefix(8))/\(region)/\(service)/aws4_request"
    let text = [Self.algorithm, date, scope, RequestDigest.text(canonical(request, signed, names))]
      .joined(separator: "\n")
    headers["authorization"] =
      "\(Self.algorithm) Credential=\(credentials.identifier)/\(scope), "
      + "SignedHeaders=\(names.joined(separator: ";")), Signature=\(sign(text, date))"
    return headers
  }

  private func canonical(
    _ request: Request, _ headers: [String: String], _ names: [String]
  ) -> String {
    let query = request.query.map {
      (PercentEncoding.encoded($0.name), PercentEncoding.encoded($0.value))
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    let lines = names.map { "\($0):\(Self.trimmed(headers[$0] ?? ""))" }
    return
      ([request.method, request.path, query] + lines
      + ["", names.joined(separator: ";"), request.payload]).joined(separator: "\n")
  }

  private func sign(_ text: String, _ date: String) -> String {
    let parts = [String(date.prefix(8)), region, service, "aws4_request"]
    let key = parts.reduce(Array("AWS4\(credentials.secret)".utf8)) {
      SHA256.authentication(of: Array($1.utf8), key: $0)
    }
    return SHA256.authentication(of: Array(text.utf8), key: key).hexadecimal
  }

  /// Returns a header's value without blanks at its ends, and with runs of blanks reduced to one.
  private static func trimmed(_ value: String) -> String {
    value.split(separator: " ").joined(separator: " ")
  }
}
