import Foundation
import TesseraMessages
import TesseraSystem

/// Fetches credentials from the container's credential service (Amazon ECS and EKS).
struct ContainerCredentialProvider: CredentialProvider {
  let environment: [String: String]
  let client: HTTPClient

  func credentials() throws(StorageError) -> Credentials? {
    guard let address = try address() else { return nil }
    var headers: [String: String] = [:]
    if let file = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] {
      headers["authorization"] = try TokenFile.read(file)
    } else {
      headers["authorization"] = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"]
    }
    let sink = MemorySink(limit: 64 << 10)
    let what = "get credentials from the container's service"
    let response = try client.send(what, into: sink) {
      HTTPRequest(address: address, headers: headers)
    }
    guard response.isSuccess else { throw response.error(what) }
    return try IssuedCredentials.read(sink.bytes, from: "the container's service")
  }

  private func address() throws(StorageError) -> WebAddress? {
    if let path = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] {
      return WebAddress("http://169.254.170.2\(path)")
    }
    guard let text = environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] else { return nil }
    let local = [
      "localhost", "127.0.0.1", "::1", "169.254.170.2", "169.254.170.23", "fd00:ec2::23",
    ]
    guard let address = WebAddress(text),
      address.scheme == "https" || local.contains(address.hostName)
    else {
      throw StorageError(
        .usage,
        "AWS_CONTAINER_CREDENTIALS_FULL_URI names a host that credentials are not asked of; it may be "
          + "an https address or one of this machine.")
    }
    return address
  }
}

/// Fetches credentials from the EC2 instance metadata service, version 2 (IMDSv2).
struct InstanceCredentialProvider: CredentialProvider {
  let environment: [String: String]
  let client: HTTPClient

  func credentials() throws(StorageError) -> Credentials? {
    guard environment["AWS_EC2_METADATA_DISABLED"]?.lowercased() != "true" else { return nil }
    let base = environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "http://169.254.169.254"
    // No response means that this machine is not an EC2 instance.
    guard
      let token = try? text(
        base + "/latest/api/token", "PUT", ["x-aws-ec2-metadata-token-ttl-seconds": "21600"])
    else { return nil }
    let headers = ["x-aws-ec2-metadata-token": token]
    let roles = "\(base)/latest/meta-data/iam/security-credentials/"
    guard let role = try text(roles, "GET", headers).split(whereSeparator: \.isNewline).first else {
      return nil
    }
    let issued = try text(roles + PercentEncoding.encoded(String(role)), "GET", headers)
    return try IssuedCredentials.read(Array(issued.utf8), from: "the instance's metadata service")
  }

  private func text(
    _ address: String, _ method: String, _ headers: [String: String]
  ) throws(StorageError) -> String {
    let what = "get credentials from the instance's metadata service"
    guard let address = WebAddress(address) else {
      throw StorageError(.usage, "AWS_EC2_METADATA_SERVICE_ENDPOINT is not an address.")
    }
    let sink = MemorySink(limit: 64 << 10)
    let response = try client.send(what, into: sink) {
      HTTPRequest(method: method, address: address, headers: headers)
    }
    guard response.isSuccess else { throw response.error(what) }
    return String(decoding: sink.bytes, as: UTF8.self)
  }
}

/// Assumes a role with a token from a file (`AssumeRoleWithWebIdentity`).
struct WebIdentityCredentialProvider: CredentialProvider {
  let environment: [String: String]
  let region: String
  let client: HTTPClient

  func credentials() throws(StorageError) -> Credentials? {
    guard let file = environment["AWS_WEB_IDENTITY_TOKEN_FILE"],
      let role = environment["AWS_ROLE_ARN"]
    else { return nil }
    return try STSClient(environment, region, client).credentials(
      "AssumeRoleWithWebIdentity", role: role, session: environment["AWS_ROLE_SESSION_NAME"],
      [("WebIdentityToken", try TokenFile.read(file))])
  }
}

/// A client of the security token service (STS), which issues credentials for roles.
struct STSClient {
  private let address: WebAddress
  private let region: String
  private let client: HTTPClient

  /// Creates a client of the region's service, or of `AWS_ENDPOINT_URL_STS` if it is set.
  init(
    _ environment: [String: String], _ region: String, _ client: HTTPClient
  ) throws(StorageError) {
    let base = environment["AWS_ENDPOINT_URL_STS"] ?? "https://sts.\(region).amazonaws.com"
    guard let address = WebAddress(base) else {
      throw StorageError(.usage, "AWS_ENDPOINT_URL_STS is not an address.")
    }
    (self.address, self.region, self.client) = (address, region, client)
  }

  /// Returns the credentials that `action` issues for a role. The request is unsigned if `keys` is
  /// `nil`.
  func credentials(
    _ action: String, role: String, session: String?, _ more: [(String, String)],
    signedWith keys: Credentials? = nil
  ) throws(StorageError) -> Credentials {
    let values =
      [
        ("Action", action), ("Version", "2011-06-15"), ("RoleArn", role),
        ("RoleSessionName", session ?? "tessera"),
      ] + more
    let body = Array(
      values.map { "\($0.0)=\(PercentEncoding.encoded($0.1))" }.joined(separator: "&").utf8)
    var headers = ["content-type": "application/x-www-form-urlencoded"]
    if let keys {
      let request = RequestSigner.Request(
        method: "POST", host: address.host, path: "/", query: [], headers: headers,
        payload: SHA256.digest(body).hexadecimal)
      headers = RequestSigner(keys, region: region, service: "sts").headers(
        of: request, date: AWSDate.basic(AWSDate.now))
    }
    let sink = MemorySink(limit: 64 << 10)
    let what = "get credentials for the role \(role)"
    let response = try client.send(what, into: sink) {
      HTTPRequest(method: "POST", address: address, headers: headers, body: .bytes(body))
    }
    guard response.isSuccess else { throw response.error(what) }
    guard let root = try? XMLElement.parse(sink.bytes),
      let issued = root.first("\(action)Result")?.first("Credentials"),
      let identifier = issued.first("AccessKeyId")?.text,
      let secret = issued.first("SecretAccessKey")?.text
    else { throw StorageError(.failure, "cannot \(what): the response has none.") }
    return Credentials(
      identifier: identifier, secret: secret, token: issued.first("SessionToken")?.text,
      expiration: issued.first("Expiration").flatMap { AWSDate.seconds($0.text) })
  }
}

/// Reads a file that contains nothing but a token.
enum TokenFile {
  static func read(_ path: String) throws(StorageError) -> String {
    do throws(SystemError) {
      let bytes = try RegularFile.bytes(path, atMost: 64 << 10)
      return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    } catch {
      throw StorageError(.failure, "the token file \(file: path) cannot be read: \(error.reason).")
    }
  }
}

/// Credentials as JSON, the format of container and instance metadata services and of
/// `credential_process`.
struct IssuedCredentials: Decodable {
  var AccessKeyId: String
  var SecretAccessKey: String
  var Token: String?
  var SessionToken: String?
  var Expiration: String?

  static func read(_ bytes: [UInt8], from source: String) throws(StorageError) -> Credentials {
    guard let issued = try? JSONDecoder().decode(IssuedCredentials.self, from: Data(bytes)) else {
      throw StorageError(.failure, "\(source) returned no credentials.")
    }
    return Credentials(
      identifier: issued.AccessKeyId, secret: issued.SecretAccessKey,
      token: issued.Token ?? issued.SessionToken,
      expiration: issued.Expiration.flatMap(AWSDate.seconds))
  }
}
