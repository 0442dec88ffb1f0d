import Foundation
import TesseraMessages
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraStorage

@Suite("Store: known objects", .timed) struct ObjectTests {
  private let content = Array("what a piece is made from".utf8)

  @Test("The objects of a plan are fetched again, and only unchanged ones") func known() throws {
    let content = content
    let tag = ConditionLock("\"a\"")
    let server = LoopbackServer { request, _ in
      let now = tag.withLock { $0 }
      if let wanted = request.headers["if-match"], wanted != now { return .init(status: 412) }
      return .part(content, request, tag: now)
    }
    let first = try Bench(server)
    let fetched = try first.store.fetch(try Location("s3://bucket/in/a.webm"))
    let object = try #require(fetched.objects[fetched.path])
    #expect(object.location == "s3://bucket/in/a.webm" && object.size == content.count)
    let coded: ObjectIdentity = try #require(CanonicalJSON.value(CanonicalJSON.bytes(object)))
    let file = try #require(try Bench(server).store.fetch([coded]).first)
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: file))) == content)
    tag.update { $0 = "\"b\"" }
    let error = #expect(throws: StorageError.self) { try Bench(server).store.fetch([coded]) }
    #expect(error?.kind == .failure)
    #expect(error?.description.contains("make the plan again") == true)
  }

  @Test("A small object is written and read; a missing one is nil") func small() throws {
    let server = LoopbackServer { request, _ in
      if request.target == "/bucket/none.json" {
        return .init(status: 404, body: Array("<Error><Code>NoSuchKey</Code></Error>".utf8))
      }
      return .init(body: request.method == "GET" ? Array("[1]".utf8) : [])
    }
    let store = try Bench(server).store
    try store.put([1], at: try Location("s3://bucket/a b.json"))
    #expect(server.requests.last?.method == "PUT")
    #expect(server.requests.last?.target == "/bucket/a%20b.json")
    #expect(try store.bytes(of: try Location("s3://bucket/a.json")) == Array("[1]".utf8))
    #expect(try store.bytes(of: try Location("s3://bucket/none.json")) == nil)
    #expect(throws: StorageError.self) {
      try store.bytes(of: try Location("s3://bucket/a.json"), atMost: 2)
    }
  }

  @Test("An input's identity covers its objects only, without signatures")
  func identity() throws {
    let content = content
    let tag = ConditionLock("\"a\"")
    let server = LoopbackServer { request, _ in
      let now = tag.withLock { $0 }
      guard request.target.contains("list-type") else {
        return .part(content, request, tag: request.target.contains("untold") ? nil : now)
      }
      let objects = [("in/a.webm", "1"), ("in/out.mp4", now), ("in/call.json", "3")].map {
        "<Contents><Key>\($0)</Key><Size>7</Size><ETag>\($1)</ETag></Contents>"
      }
      return .init(body: Array("<R>\(objects.joined())</R>".utf8))
    }
    let store = try Bench(server).store
    func identity(_ text: String) throws -> [String]? {
      try store.identity(
        of: try Location(text), except: [try Location("s3://bucket/in/out.mp4")])
    }
    let signed = "\(server.address)/a.webm?v=1&X-Amz-Signature="
    let all = ["s3://bucket/in/a.webm 7 1", "s3://bucket/in/call.json 7 3"]
    for name in ["a", "b"] {
      tag.update { $0 = "\"\(name)\"" }
      let size = content.count
      #expect(try identity("s3://bucket/in/") == all)
      // A manifest includes the objects beside it.
      #expect(try identity("s3://bucket/in/call.json") == all)
      #expect(try identity("s3://bucket/a.webm") == ["s3://bucket/a.webm \(size) \"\(name)\""])
      #expect(
        try identity(signed + name) == ["\(server.address)/a.webm?v=1 \(size) \"\(name)\""])
    }
    #expect(try identity("s3://bucket/untold.webm") == nil)
  }

  @Test("All names directly below a prefix are listed, without deeper ones")
  func children() throws {
    let server = LoopbackServer { request, _ in
      let isFirst = !request.target.contains("continuation-token=more")
      #expect(request.target.contains("delimiter=%2F"))
      let text =
        isFirst
        ? "<IsTruncated>true</IsTruncated><NextContinuationToken>more</NextContinuationToken>"
          + "<Contents><Key>in/</Key></Contents><Contents><Key>in/b%2Bc.zip</Key></Contents>"
        : "<CommonPrefixes><Prefix>in/a+b/</Prefix></CommonPrefixes>"
      return .init(body: Array("<R>\(text)</R>".utf8))
    }
    let store = try Bench(server).store
    let prefix = try Location("s3://bucket/in/")
    #expect(try store.children(of: prefix, limit: 3) == ["a b/", "b+c.zip"])
    #expect(throws: StorageError.self) { try store.children(of: prefix, limit: 1) }
  }

  @Test("An object has its provenance") func made() throws {
    let made = ConditionLock(String?.none)
    let server = LoopbackServer { request, _ in
      if request.method == "PUT" { made.update { $0 = request.headers["x-amz-meta-tessera-made"] } }
      var reply = LoopbackServer.Reply(body: request.method == "HEAD" ? [7, 7] : [])
      if let made = made.withLock(\.self) { reply.headers["x-amz-meta-tessera-made"] = made }
      return reply
    }
    let bench = try Bench(server)
    let location = try Location("s3://bucket/call.mp4")
    #expect(try bench.store.made(location) == nil)
    try bench.store.upload(try bench.file(2), to: location, made: "of two calls")
    #expect(try bench.store.made(location) == "of two calls")
  }
}
