import Foundation
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraStorage

@Suite("Store: credential providers", .timed) struct ProviderTests {
  private static let issued =
    #"{"AccessKeyId": "ISSUED", "SecretAccessKey": "geheim", "Token": "marke", "Expiration": "2099-01-01T00:00:00Z"}"#
  private static let assumed = """
    <AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>\
    <AccessKeyId>ISSUED</AccessKeyId><SecretAccessKey>geheim</SecretAccessKey>\
    <SessionToken>marke</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>\
    </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>
    """

  /// Returns the requests that a store with `environment` sends to a server of buckets and
  /// credentials.
  private func requests(
    _ environment: (LoopbackServer) -> [String: String]
  ) throws -> [LoopbackServer.Request] {
    let server = LoopbackServer { request, _ in
      switch request.target {
      case "/latest/api/token": return .init(body: Array("a-token".utf8))
      case "/latest/meta-data/iam/security-credentials/": return .init(body: Array("role".utf8))
      case "/creds", "/latest/meta-data/iam/security-credentials/role":
        return .init(body: Array(Self.issued.utf8))
      case "/": return .init(body: Array(Self.assumed.utf8))
      default: return .init(body: Array("[1]".utf8))
      }
    }
    let folder = NSTemporaryDirectory() + "tessera-providers-\(UUID().uuidString)"
    var variables = environment(server)
    variables["AWS_ENDPOINT_URL_S3"] = server.address
    variables["HOME"] = folder
    let store = try ObjectStore(environment: variables, cache: folder)
    #expect(try store.bytes(of: try Location("s3://bucket/a.json")) == Array("[1]".utf8))
    #expect(try store.bytes(of: try Location("s3://bucket/b.json")) == Array("[1]".utf8))
    let asked = server.requests
    for request in asked.suffix(2) {
      #expect(request.headers["authorization"]?.contains("Credential=ISSUED/") == true)
      #expect(request.headers["x-amz-security-token"] == "marke")
    }
    return asked
  }

  @Test("The container's credential service, with its token") func container() throws {
    let asked = try requests {
      [
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": "\($0.address)/creds",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN": "secret-token",
      ]
    }
    #expect(asked.map(\.target) == ["/creds", "/bucket/a.json", "/bucket/b.json"])
    #expect(asked.first?.headers["authorization"] == "secret-token")
  }

  @Test("A container's service on another machine is not used") func foreign() throws {
    let store = try ObjectStore(
      environment: [
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://192.0.2.1/creds", "HOME": "/nonexistent",
        "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9",
      ], cache: NSTemporaryDirectory())
    let error = #expect(throws: StorageError.self) {
      try store.bytes(of: try Location("s3://bucket/a.json"))
    }
    #expect(error?.kind == .usage)
  }

  @Test("A role assumed with a web identity") func webIdentity() throws {
    let file = NSTemporaryDirectory() + "tessera-token-\(UUID().uuidString)"
    try Data("identity token\n".utf8).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let asked = try requests {
      [
        "AWS_WEB_IDENTITY_TOKEN_FILE": file, "AWS_ROLE_ARN": "arn:aws:iam::1:role/r",
        "AWS_ENDPOINT_URL_STS": $0.address,
      ]
    }
    #expect(asked.map(\.method) == ["POST", "GET", "GET"])
    #expect(asked.first?.headers["authorization"] == nil)
  }

  @Test("The instance's metadata service, version 2") func instance() throws {
    let asked = try requests { ["AWS_EC2_METADATA_SERVICE_ENDPOINT": $0.address] }
    #expect(asked.first?.method == "PUT" && asked.first?.target == "/latest/api/token")
    #expect(asked[1].headers["x-aws-ec2-metadata-token"] == "a-token")
    #expect(asked.count == 5)
  }
}
