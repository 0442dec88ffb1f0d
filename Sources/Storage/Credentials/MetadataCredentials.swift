import Foundation
import TesseraSystem

/// The service that runs beside a container.
struct ContainerCredentials: CredentialProvider {
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

/// The metadata service of a virtual machine, in its second version.
struct InstanceCredentials: CredentialProvider {
  let environment: [String: String]
  let client: HTTPClient

  func credentials() throws(StorageError) -> Credentials? {
    guard environment["AWS_EC2_METADATA_DISABLED"]?.lowercased() != "true" else { return nil }
    let base = environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "http://169.254.169.254"
    // Where there is no such service, this machine is just not one of them.
    guard
      let token = try? text(
        base + "/latest/api/token", "PUT", ["x-aws-ec2-metadata-token-ttl-seconds": "21600"])
    else { return nil }
    let headers = ["x-aws-ec2-metadata-token": token]
    let roles = "\(base)/latest/meta-data/iam/security-credentials/"
    guard let role = try text(roles, "GET", headers).split(whereSeparator: \.isNewline).first else {
      return nil
    }
    let issued = try text(roles + URLText.encoded(String(role)), "GET", headers)
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

/// A role that is assumed with a token in a file (AssumeRoleWithWebIdentity).
struct WebIdentityCredentials: CredentialProvider {
  let environment: [String: String]
  let region: String
  let client: HTTPClient

  func credentials() throws(StorageError) -> Credentials? {
    guard let file = environment["AWS_WEB_IDENTITY_TOKEN_FILE"],
      let role = environment["AWS_ROLE_ARN"]
    else { return nil }
    let base = environment["AWS_ENDPOINT_URL_STS"] ?? "https://sts.\(region).amazonaws.com"
    guard let address = WebAddress(base) else {
      throw StorageError(.usage, "AWS_ENDPOINT_URL_STS is not an address.")
    }
    let values = [
      ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
      ("RoleSessionName", environment["AWS_ROLE_SESSION_NAME"] ?? "tessera"),
      ("WebIdentityToken", try TokenFile.read(file)),
    ]
    let body = values.map { "\($0.0)=\(URLText.encoded($0.1))" }.joined(separator: "&")
    let sink = MemorySink(limit: 64 << 10)
    let what = "get credentials for the role in AWS_ROLE_ARN"
    let response = try client.send(what, into: sink) {
      HTTPRequest(
        method: "POST", address: address,
        headers: ["content-type": "application/x-www-form-urlencoded"],
        body: .bytes(Array(body.utf8)))
    }
    guard response.isSuccess else { throw response.error(what) }
    guard let root = try? XMLElement.parse(sink.bytes),
      let issued = root.first("AssumeRoleWithWebIdentityResult")?.first("Credentials"),
      let identifier = issued.first("AccessKeyId")?.text,
      let secret = issued.first("SecretAccessKey")?.text
    else { throw StorageError(.failure, "cannot \(what): the response has none.") }
    return Credentials(
      identifier: identifier, secret: secret, token: issued.first("SessionToken")?.text,
      expiration: issued.first("Expiration").flatMap { ServiceDate.seconds($0.text) })
  }
}

/// A file with nothing but a token.
enum TokenFile {
  static func read(_ path: String) throws(StorageError) -> String {
    do throws(SystemError) {
      let bytes = try RegularFile.bytes(path, atMost: 64 << 10)
      return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    } catch {
      throw StorageError(.failure, "the token file \(path) cannot be read: \(error.reason).")
    }
  }
}

/// Credentials as the services beside containers and virtual machines write them.
private struct IssuedCredentials: Decodable {
  var AccessKeyId: String
  var SecretAccessKey: String
  var Token: String?
  var Expiration: String?

  static func read(_ bytes: [UInt8], from source: String) throws(StorageError) -> Credentials {
    guard let issued = try? JSONDecoder().decode(IssuedCredentials.self, from: Data(bytes)) else {
      throw StorageError(.failure, "\(source) returned no credentials.")
    }
    return Credentials(
      identifier: issued.AccessKeyId, secret: issued.SecretAccessKey, token: issued.Token,
      expiration: issued.Expiration.flatMap(ServiceDate.seconds))
  }
}
