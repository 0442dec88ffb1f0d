import Foundation
import TesseraMessages
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraStorage

@Suite("Store: differences between servers", .timed) struct ServerKindTests {
  private let content = Array("a recording".utf8)

  private func list(_ tag: String) -> LoopbackServer.Reply {
    .init(
      body: Array(
        "<R><Contents><Key>in/a.webm</Key><Size>11</Size><ETag>\(tag)</ETag></Contents></R>".utf8))
  }

  @Test(
    "Tags are compared without quotation marks and W/",
    arguments: [
      ("1a", "\"1a\""), ("\"1a\"", "\"1a\""), ("\"1a\"", "W/\"1a\""), ("&quot;1a&quot;", "\"1a\""),
    ])
  func tags(listed: String, sent: String) throws {
    let content = content
    let server = LoopbackServer { [list] request, _ in
      if request.target.contains("list-type") { return list(listed) }
      if let wanted = request.headers["if-match"], wanted != "\"1a\"" { return .init(status: 412) }
      return .part(content, request, tag: sent)
    }
    let bench = try Bench(server)
    let fetched = try bench.store.fetch(try Location("s3://bucket/in/"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(fetched.path)/a.webm"))
    #expect(Array(bytes) == content)
  }

  @Test("A tag that disagrees with two fresh listings is a permanent error") func disagreement()
    throws
  {
    let content = content
    let server = LoopbackServer { [list] request, _ in
      request.target.contains("list-type")
        ? list("1a") : .part(content, request, tag: "\"2b\"")
    }
    let error = try #require(try Bench(server).error("s3://bucket/in/"))
    #expect(error.kind == .failure && error.description.contains("twice"))
    #expect(server.requests.count { $0.target.contains("list-type") } == 2)
  }

  @Test("A whole response with a Content-Range is a range") func ranges() throws {
    let content = content
    let server = LoopbackServer { request, _ in
      var reply = LoopbackServer.Reply.part(content, request)
      reply.status = 200
      return reply
    }
    #expect(try Bench(server).fetch("s3://bucket/a.webm") == content)
  }

  @Test("An empty object is empty, whatever the refusal of its first byte states")
  func empty() throws {
    for headers in [["Content-Range": "bytes */0"], [:]] {
      let server = LoopbackServer { request, _ in
        request.headers["range"] == nil ? .init() : .init(status: 416, headers: headers)
      }
      #expect(try Bench(server).fetch("\(server.address)/a.webm?X-Amz-Signature=1") == [])
    }
  }

  @Test("The region in a server's error is used; another error names the region")
  func regions() throws {
    let content = content
    for isRight in [true, false] {
      let server = LoopbackServer { request, _ in
        let isNamed = request.headers["authorization"]?.contains("/RegionOne/s3/") == true
        if isNamed, isRight { return .part(content, request) }
        let body =
          "<Error><Code>AuthorizationHeaderMalformed</Code><Region>RegionOne</Region></Error>"
        return .init(status: 400, body: request.method == "HEAD" ? [] : Array(body.utf8))
      }
      let bench = try Bench(server)
      if isRight {
        #expect(try bench.fetch("s3://bucket/a.webm") == content)
      } else {
        let error = bench.error("s3://bucket/a.webm")
        #expect(error?.kind == .failure)
        #expect(error?.description.contains("the server expects the region RegionOne") == true)
      }
    }
    #expect(["RegionOne", "us-east-1", "de_fra.1"].allSatisfy(S3Client.isRegion))
    #expect(
      !["", "a/b", "a b", String(repeating: "a", count: 64)].contains(where: S3Client.isRegion))
  }
}

@Suite("Store: profiles", .timed) struct ProfileTests {
  /// Returns the credentials of the profile `name`, or the error, and the requests to a token
  /// service.
  private func credentials(
    _ name: String, _ config: String
  ) throws -> (result: Result<Credentials?, StorageError>, asked: [LoopbackServer.Request]) {
    let folder = try TemporaryFolder()
    let text = config.replacing("FOLDER", with: folder.path)
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("config")))
    let keys =
      #"{"Version": 1, "AccessKeyId": "RUN", "SecretAccessKey": "s", "SessionToken": "t"}"#
    try Data(keys.utf8).write(to: URL(fileURLWithPath: folder.path("the keys")))
    let issued = """
      <AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ROLE</AccessKeyId>\
      <SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken></Credentials>\
      </AssumeRoleResult></AssumeRoleResponse>
      """
    let server = LoopbackServer { _, _ in .init(body: Array(issued.utf8)) }
    let environment = [
      "AWS_CONFIG_FILE": folder.path("config"), "AWS_PROFILE": name,
      "AWS_SHARED_CREDENTIALS_FILE": "/none", "AWS_ENDPOINT_URL_STS": server.address,
    ]
    var policy = ConnectionPolicy()
    policy.allowsPlain = true
    let provider = ProfileCredentialProvider(
      profiles: AWSProfiles(environment), environment: environment, region: "us-east-1",
      client: HTTPClient(policy, retries: RetryPolicy(attempts: 1)))
    do throws(StorageError) {
      return (.success(try provider.credentials()), server.requests)
    } catch {
      return (.failure(error), server.requests)
    }
  }

  private static let config = """
    [profile keys]
    aws_access_key_id = BASE
    aws_secret_access_key = s
    [profile role]
    role_arn = arn:aws:iam::1:role/r
    source_profile = keys
    external_id = e
    region = eu-central-1
    [profile chain]
    role_arn = arn:aws:iam::1:role/q
    source_profile = role
    [profile program]
    credential_process = /bin/cat "FOLDER/the keys"
    [profile fails]
    credential_process = /bin/false
    [profile loop]
    role_arn = arn:aws:iam::1:role/q
    source_profile = loop2
    [profile loop2]
    role_arn = arn:aws:iam::1:role/q
    source_profile = loop
    [profile sso]
    sso_session = corp
    [profile mfa]
    role_arn = arn:aws:iam::1:role/q
    source_profile = keys
    mfa_serial = arn:aws:iam::1:mfa/u
    [profile odd]
    login_session = x
    region = eu-west-1
    [profile plain]
    region = eu-west-1
    services = mine
    [services mine]
    s3 =
      endpoint_url = http://127.0.0.1:9000
    """

  @Test(
    "Profiles give the same credentials as the AWS command line",
    arguments: [
      ("keys", "BASE", 0), ("role", "ROLE", 1), ("chain", "ROLE", 2), ("program", "RUN", 0),
    ])
  func found(name: String, identifier: String, requests: Int) throws {
    let (result, asked) = try credentials(name, Self.config)
    let credentials = try #require(try result.get())
    #expect(credentials.identifier == identifier)
    #expect((credentials.token != nil) == (identifier != "BASE"))
    #expect(asked.count == requests)
    for (number, request) in asked.enumerated() {
      let signer = number == 0 ? "BASE" : "ROLE"
      #expect(request.headers["authorization"]?.contains("Credential=\(signer)/") == true)
      #expect(request.headers["authorization"]?.contains("/sts/aws4_request") == true)
    }
  }

  @Test(
    "Errors name the profile and the unsupported key",
    arguments: [
      ("fails", ["fails", "credential_process"]), ("loop", ["its own source_profile"]),
      ("sso", ["sso", "corp", "export-credentials"]), ("mfa", ["mfa", "mfa_serial"]),
      ("odd", ["odd", "login_session"]), ("none", ["none", "AWS_PROFILE"]),
    ])
  func refused(name: String, words: [String]) throws {
    let (result, _) = try credentials(name, Self.config)
    let error = #expect(throws: StorageError.self) { try result.get() }
    for word in words { #expect(error?.description.contains(word) == true) }
  }

  @Test("A services section names the endpoint") func services() throws {
    let folder = try TemporaryFolder()
    try Data(Self.config.utf8).write(to: URL(fileURLWithPath: folder.path("config")))
    let profiles = AWSProfiles([
      "AWS_CONFIG_FILE": folder.path("config"), "AWS_PROFILE": "plain",
      "AWS_SHARED_CREDENTIALS_FILE": "/none",
    ])
    #expect(profiles.endpoint(of: "s3") == "http://127.0.0.1:9000")
    #expect(try credentials("plain", Self.config).result.get() == nil)
  }
}
