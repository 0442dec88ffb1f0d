import Foundation
import TesseraMessages
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraStorage

/// Returns the uploads that a client has aborted.
private func ended(_ server: LoopbackServer) -> [String] {
  server.requests.filter { $0.method == "DELETE" }.map(\.target)
}

@Suite("Store: aborted multipart uploads", .timed) struct UploadEndTests {
  private static let size = 17 << 20

  /// Returns a server on which uploads succeed, except for the replies of `fault`.
  private static func server(
    _ fault: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Reply? = { _, _ in
      nil
    }
  ) -> LoopbackServer {
    LoopbackServer { request, number in
      if let reply = fault(request, number) { return reply }
      if request.target.hasSuffix("uploads=") {
        return .init(body: Array("<R><UploadId>u\(number)</UploadId></R>".utf8))
      }
      switch request.method {
      case "POST": return .init(body: Array("<CompleteMultipartUploadResult/>".utf8))
      case "GET":
        // Another machine's open upload for the same key.
        let upload = "<Upload><Key>out.mp4</Key><UploadId>theirs</UploadId></Upload>"
        return .init(body: Array("<R>\(upload)</R>".utf8))
      case "HEAD": return .init(length: Self.size)
      default: return .init(headers: ["ETag": "\"part\""])
      }
    }
  }

  private let place = Result { try Location("s3://bucket/out.mp4") }

  @Test("After cancellation the upload is aborted, and no record remains")
  func stopped() throws {
    let cancellation = Cancellation()
    let server = Self.server { request, _ in
      if request.method == "PUT" { cancellation.cancel() }
      return nil
    }
    let bench = try Bench(server, cancellation: cancellation)
    let file = try bench.file(Self.size)
    let error = #expect(throws: StorageError.self) {
      try bench.store.upload(file, to: try place.get())
    }
    #expect(error?.kind == .cancelled)
    #expect(ended(server) == ["/bucket/out.mp4?uploadId=u0"])
    #expect(bench.store.s3.records.abandoned("bucket") { $0 == "out.mp4" }.isEmpty)
  }

  @Test("The next process aborts a killed process's upload, and no other")
  func killed() throws {
    let server = Self.server()
    let bench = try Bench(server)
    let records = bench.store.s3.records
    func upload(_ key: String, _ identifier: String) -> S3Client.Upload {
      S3Client.Upload(bucket: "bucket", key: key, identifier: identifier)
    }
    // Released at once, as at the end of a process.
    #expect(records.add(upload("out.mp4", "dead")) != nil)
    #expect(records.add(upload("out.mp4.json", "other")) != nil)
    let alive = try #require(records.add(upload("out.mp4", "alive")))
    try bench.store.upload(try bench.file(Self.size), to: try place.get())
    #expect(ended(server) == ["/bucket/out.mp4?uploadId=dead"])
    try bench.store.upload(try bench.file(Self.size), to: try place.get())
    #expect(ended(server).count == 1)
    alive.remove()
  }

  @Test(
    "Below a prefix, uploads of killed processes of this machine are aborted, and no others")
  func below() throws {
    let server = Self.server()
    let bench = try Bench(server)
    let records = bench.store.s3.records
    for (bucket, key) in [
      ("bucket", "w/pieces/a b"), ("bucket", "w/plan.json"), ("other", "w/pieces/c"),
    ] {
      #expect(records.add(S3Client.Upload(bucket: bucket, key: key, identifier: "dead")) != nil)
    }
    let living = S3Client.Upload(bucket: "bucket", key: "w/pieces/d", identifier: "alive")
    let alive = try #require(records.add(living))
    // The record of a process killed during its creation, and one of another server.
    let folder = try #require(records.folder)
    try FileOperations.makeFolder("\(folder)/torn")
    let elsewhere = UploadRecords(folder: folder, site: "https://elsewhere")
    let foreign = S3Client.Upload(bucket: "bucket", key: "w/pieces/e", identifier: "theirs")
    #expect(elsewhere.add(foreign) != nil)
    bench.store.endAbandonedUploads(below: try Location("s3://bucket/w/pieces/"))
    #expect(server.requests.map(\.method) == ["DELETE"], "nothing is listed")
    #expect(ended(server) == ["/bucket/w/pieces/a%20b?uploadId=dead"])
    #expect(!FileOperations.exists("\(folder)/torn"))
    #expect(elsewhere.abandoned("bucket") { _ in true }.map(\.upload.identifier) == ["theirs"])
    alive.remove()
  }

  @Test("A process that blocks the records is waited for with a limit") func heldUp() throws {
    let folder = try TemporaryFolder()
    var records = UploadRecords(folder: folder.path, site: "site")
    let upload = S3Client.Upload(bucket: "bucket", key: "key", identifier: "1")
    #expect(records.add(upload) != nil)
    records.patience = .milliseconds(20)
    let lock = try FolderLock.take(folder.path)
    #expect((lock != nil) == true)
    #expect(records.add(upload) == nil && records.abandoned("bucket") { _ in true }.isEmpty)
    _ = consume lock
    #expect(records.abandoned("bucket") { _ in true }.count == 1)
  }

  @Test("The next process retries an abort that failed") func unended() throws {
    let isRefusing = ConditionLock(true)
    let server = Self.server { request, _ in
      request.method == "DELETE" && isRefusing.withLock(\.self) ? .init(status: 403) : nil
    }
    let bench = try Bench(server)
    try bench.store.requireWritable(try place.get())
    // An upload that cannot be aborted proves that uploads can be started.
    try bench.store.requireWritable(try place.get())
    #expect(server.requests.map(\.method) == ["POST", "DELETE", "DELETE"])
    isRefusing.update { $0 = false }
    try bench.store.upload(try bench.file(Self.size), to: try place.get())
    #expect(ended(server).last == "/bucket/out.mp4?uploadId=u0")
    #expect(bench.store.s3.records.abandoned("bucket") { $0 == "out.mp4" }.isEmpty)
  }

  @Test("If an upload cannot start, another machine's upload is not aborted")
  func others() throws {
    let server = Self.server { _, number in number == 0 ? .init(status: 500) : nil }
    let bench = try Bench(server)
    try bench.store.upload(try bench.file(Self.size), to: try place.get())
    #expect(ended(server).isEmpty)
  }

  @Test("An upload aborted by another process is started again") func endedByOthers() throws {
    let server = Self.server { request, number in
      request.target.hasSuffix("uploadId=u0") && request.method == "PUT"
        ? .init(status: 404, body: Array("<Error><Code>NoSuchUpload</Code></Error>".utf8)) : nil
    }
    let bench = try Bench(server)
    try bench.store.upload(try bench.file(Self.size), to: try place.get())
    let begun = server.requests.filter { $0.target.hasSuffix("uploads=") }
    #expect(begun.count == 2)
  }

  @Test("Write permission is checked without writing the object") func writable() throws {
    let server = Self.server()
    let bench = try Bench(server)
    try bench.store.requireWritable(try place.get())
    #expect(server.requests.map(\.method) == ["POST", "DELETE"])
    let refusing = LoopbackServer { _, _ in
      .init(status: 403, body: Array("<Error><Code>AccessDenied</Code></Error>".utf8))
    }
    let error = #expect(throws: StorageError.self) {
      try Bench(refusing).store.requireWritable(try place.get())
    }
    #expect(error?.kind == .failure)
    #expect(
      error?.description
        == "cannot write s3://bucket/out.mp4: access is denied (AccessDenied); check the credentials "
        + "and their permissions.")
  }
}

@Suite("Store: temporary errors", .timed) struct PassingErrorTests {
  @Test("A wrong clock is reported at once") func clock() throws {
    let text = "<Error><Code>RequestTimeTooSkewed</Code></Error>"
    let server = LoopbackServer { request, _ in
      .init(status: 403, body: request.method == "HEAD" ? [] : Array(text.utf8))
    }
    let error = try #require(try Bench(server).error("s3://bucket/a.webm"))
    #expect(error.kind == .failure)
    #expect(error.description.contains("the clock of this machine is wrong"))
    #expect(server.requests.map(\.method) == ["HEAD", "GET"])
  }

  @Test("A refused range is requested again") func range() throws {
    let content = Array("a recording".utf8)
    let refusals = ConditionLock(1)
    let server = LoopbackServer { request, _ in
      let isRefused = refusals.withLock { rest in
        guard request.method == "GET", rest > 0 else { return false }
        rest -= 1
        return true
      }
      return isRefused
        ? .init(status: 416, headers: ["Content-Range": "bytes */11"]) : .part(content, request)
    }
    #expect(try Bench(server).fetch("s3://bucket/a.webm") == content)
    refusals.update { $0 = 100 }
    #expect(try Bench(server).error("s3://bucket/b.webm")?.kind == .temporary)
  }

  @Test(
    "A truncated listing is requested again, and never accepted as complete",
    arguments: [
      "<R><Contents><Key>p/a</Key><Size>1</Size></Con", "",
      "<R><IsTruncated>true</IsTruncated><Contents><Key>p/a</Key><Size>1</Size></Contents></R>",
    ])
  func lists(text: String) throws {
    let whole = "<R><Contents><Key>p/a</Key><Size>1</Size></Contents></R>"
    for faults in [2, 100] {
      let server = LoopbackServer { _, number in
        .init(body: Array((number < faults ? text : whole).utf8))
      }
      let store = try Bench(server).store
      let prefix = try Location("s3://bucket/p/")
      guard faults > 4 else {
        #expect(try store.objects(below: prefix).map(\.name) == ["a"])
        continue
      }
      let error = #expect(throws: StorageError.self) { try store.objects(below: prefix) }
      #expect(error?.kind == .temporary)
      #expect(error?.description.contains("the response is cut off") == true)
    }
  }
}
