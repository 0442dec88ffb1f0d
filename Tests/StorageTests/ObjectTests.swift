import Foundation
import TesseraSystem
import Testing

@testable import TesseraStorage

@Suite("Store: objects that are known") struct ObjectTests {
  private let content = Array("what a piece is made from".utf8)

  @Test("What a plan knows is fetched again, and only that") func known() throws {
    let content = content
    let tag = Monitor("\"a\"")
    let server = LoopbackServer { request, _ in
      let now = tag.withLock { $0 }
      if let wanted = request.headers["if-match"], wanted != now { return .init(status: 412) }
      return .part(content, request, tag: now)
    }
    let first = try Bench(server)
    let fetched = try first.store.fetch(try Location("s3://bucket/in/a.webm"))
    let object = try #require(fetched.objects[fetched.path])
    #expect(object.location == "s3://bucket/in/a.webm" && object.size == content.count)
    let coded: StoredObject = try #require(PlainJSON.value(PlainJSON.bytes(object)))
    let file = try #require(try Bench(server).store.fetch([coded]).first)
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: file))) == content)
    tag.update { $0 = "\"b\"" }
    let error = #expect(throws: StorageError.self) { try Bench(server).store.fetch([coded]) }
    #expect(error?.kind == .failure)
    #expect(error?.description.contains("make the plan again") == true)
  }

  @Test("A small object is put and read; one that is not there is nothing") func small() throws {
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

  @Test("Uploads that the dead have left are ended, those elsewhere are not") func uploads() throws
  {
    let server = LoopbackServer { request, _ in
      guard request.method == "GET" else { return .init(status: 204) }
      let uploads = [("w/pieces/a+b.tsnd", "1"), ("other/c.tsnd", "2")].map {
        "<Upload><Key>\($0)</Key><UploadId>\($1)</UploadId></Upload>"
      }
      return .init(body: Array("<R>\(uploads.joined())</R>".utf8))
    }
    try Bench(server).store.abortUploads(below: try Location("s3://bucket/w/"))
    let ended = server.requests.filter { $0.method == "DELETE" }.map(\.target)
    #expect(ended == ["/bucket/w/pieces/a%20b.tsnd?uploadId=1"])
  }
}
