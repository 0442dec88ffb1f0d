import Foundation
import TesseraMessages
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraStorage

/// A store with its own folder, and a server on loopback.
final class Bench {
  let folder: String
  let store: ObjectStore
  /// Kept alive, because its deinitializer stops it.
  private let server: LoopbackServer
  /// The last property, so that the folder is removed after the store has closed its files.
  private let temporary: TemporaryFolder

  init(
    _ server: LoopbackServer, limits: FetchLimits = FetchLimits(),
    cancellation: Cancellation = Cancellation()
  ) throws {
    self.server = server
    temporary = try TemporaryFolder()
    folder = temporary.path
    var policy = ConnectionPolicy()
    policy.cancellation = cancellation
    (policy.stallSeconds, policy.connectSeconds) = (1, 5)
    store = try ObjectStore(
      [
        "AWS_ENDPOINT_URL_S3": server.address, "AWS_ACCESS_KEY_ID": "AKID",
        "AWS_SECRET_ACCESS_KEY": "geheim", "AWS_SESSION_TOKEN": "marke",
        "XDG_STATE_HOME": "\(folder)/state",
      ], ObjectCache(folder: folder, cancellation: policy.cancellation), limits, policy: policy,
      retries: RetryPolicy(attempts: 4, base: 0.001, cap: 0.01))
  }

  func fetch(_ text: String, isNamedByUser: Bool = true) throws -> [UInt8] {
    let fetched = try store.fetch(try Location(text), isNamedByUser: isNamedByUser)
    return Array(try Data(contentsOf: URL(fileURLWithPath: fetched.path)))
  }

  /// Returns the error of a fetch.
  func error(_ text: String, isNamedByUser: Bool = true) -> StorageError? {
    do { _ = try fetch(text, isNamedByUser: isNamedByUser) } catch {
      return error as? StorageError
    }
    return nil
  }

  /// Creates a file of `size` bytes.
  func file(_ size: Int) throws -> String {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/made.mp4"
    try Data(repeating: 7, count: size).write(to: URL(fileURLWithPath: path))
    return path
  }
}

private let object = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }

@Suite("Store: fetching over a faulty network", .timed) struct FetchingTests {
  @Test("Temporary errors are retried") func temporary() throws {
    let server = LoopbackServer { request, number in
      number % 2 == 0 ? .init(status: [503, 500, 429][number % 3]) : .part(object, request)
    }
    #expect(try Bench(server).fetch("s3://bucket/a b/ü.webm") == object)
    #expect(server.requests.first?.target == "/bucket/a%20b/%C3%BC.webm")
  }

  @Test("After a reset, the rest of the same object is fetched") func reset() throws {
    let server = LoopbackServer { request, number in
      var reply = LoopbackServer.Reply.part(object, request)
      if request.method == "GET", number < 4 { reply.cut = 70_000 }
      return reply
    }
    #expect(try Bench(server).fetch("s3://bucket/a.webm") == object)
    let gets = server.requests.filter { $0.method == "GET" }
    #expect(gets.count == 4)
    #expect(gets.allSatisfy { $0.headers["if-match"] == "\"a\"" })
    #expect(gets.last?.headers["range"]?.hasPrefix("bytes=0-") == false)
  }

  @Test("A body shorter or longer than announced is not accepted")
  func lengths() throws {
    for length in [-1000, 1000] {
      let server = LoopbackServer { request, number in
        var reply = LoopbackServer.Reply.part(object, request)
        if request.method == "GET", number < 3 { reply.length = reply.body.count + length }
        return reply
      }
      #expect(try Bench(server).fetch("s3://bucket/a.webm") == object)
    }
  }

  @Test(
    "An object that changes during a download is fetched again; twice is an error, never a mixture")
  func changes() throws {
    for last in [2, 100] {
      let server = LoopbackServer { request, number in
        let isNew =
          number >= last || request.method == "GET" && request.range(of: 1 << 30).lowerBound > 0
        let content = isNew ? object.map { $0 ^ 1 } : object
        var reply = LoopbackServer.Reply.part(content, request, tag: isNew ? "\"b\"" : "\"a\"")
        if request.method == "GET", !isNew { reply.cut = 70_000 }
        return reply
      }
      let bench = try Bench(server)
      if last == 2 {
        #expect(try bench.fetch("s3://bucket/a.webm") == object.map { $0 ^ 1 })
        continue
      }
      let error = try #require(bench.error("s3://bucket/a.webm"))
      #expect(error.kind == .failure && error.description.contains("twice"))
      let files = try FileManager.default.contentsOfDirectory(atPath: bench.folder + "/objects")
      #expect(files.allSatisfy { $0.contains(".") })
    }
  }

  @Test("A stalled transfer is stopped and resumed") func stalls() throws {
    let server = LoopbackServer { request, number in
      if request.method == "GET", number == 1 { sleep(3) }
      return .part(object, request)
    }
    #expect(try Bench(server).fetch("s3://bucket/a.webm") == object)
  }

  @Test("A permanently broken server gives an error that advises a retry") func broken()
    throws
  {
    let server = LoopbackServer { _, _ in .init(status: 503) }
    let error = try #require(try Bench(server).error("s3://bucket/a.webm"))
    #expect(error.kind == .temporary)
    #expect(
      error.description
        == "cannot read s3://bucket/a.webm: the server returned 503, 4 times; try again later.")
  }

  @Test("Cached objects are not fetched again; unused ones are removed") func cached() throws {
    let server = LoopbackServer { request, _ in .part(object, request) }
    let bench = try Bench(server)
    #expect(try bench.fetch("s3://bucket/a.webm") == object)
    #expect(try bench.fetch("s3://bucket/a.webm") == object)
    #expect(server.requests.filter { $0.method == "GET" }.count == 1)
    // A view keeps the object; without views, the object makes room for others.
    try FileManager.default.removeItem(atPath: bench.folder + "/views")
    var cache = bench.store.cache
    cache.limit = object.count
    let other = RemoteObject(name: "other", facts: ObjectMetadata(size: 0, tag: nil)) { _ in }
    _ = try cache.fetch([other])
    let big = RemoteObject(name: "big", facts: ObjectMetadata(size: 200_000, tag: nil)) { sink in
      let bytes = [UInt8](repeating: 7, count: 200_000)
      _ = unsafe bytes.withUnsafeBytes { unsafe sink.take($0) }
    }
    _ = try cache.fetch([big])
    let files = try FileManager.default.contentsOfDirectory(atPath: bench.folder + "/objects")
    #expect(files.contains(big.identity))
    #expect(files.count <= 2)
  }
}

@Suite("Store: partial downloads", .timed) struct PartialDownloadTests {
  private static let size = ObjectCache.chunkSize + 1000

  private static func remote(
    hasRanges: Bool, _ read: @escaping @Sendable (FileRangeSink) throws(StorageError) -> Void
  ) -> RemoteObject {
    var facts = ObjectMetadata(size: size, tag: "\"a\"")
    facts.hasRanges = hasRanges
    return RemoteObject(name: "https://host/a.mp4", facts: facts, read: read)
  }

  private static func fill(_ sink: FileRangeSink) {
    while !sink.isFull {
      let bytes = [UInt8](repeating: 7, count: min(1 << 20, size - sink.position))
      guard unsafe bytes.withUnsafeBytes({ unsafe sink.take($0) }) else { return }
    }
  }

  @Test("A map of another chunk size is ignored", arguments: [true, false])
  func chunks(hasRangesLater: Bool) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var cache = ObjectCache(folder: folder.path, cancellation: Cancellation())
    cache.threads = 1
    // The first chunk arrives, and the second does not.
    let first = Self.remote(hasRanges: true) { sink throws(StorageError) in
      guard sink.position == 0 else { throw StorageError(.failure, "reset.") }
      let bytes = [UInt8](repeating: 7, count: ObjectCache.chunkSize)
      _ = unsafe bytes.withUnsafeBytes { unsafe sink.take($0) }
    }
    #expect(throws: StorageError.self) { try cache.fetch([first]) }
    // Then the object is sent as a whole, or in ranges as before.
    let asked = ConditionLock(0)
    let second = Self.remote(hasRanges: hasRangesLater) { sink throws(StorageError) in
      asked.withLock { $0 += 1 }
      Self.fill(sink)
    }
    let path = try cache.fetch([second])[0]
    #expect(asked.withLock(\.self) == 1)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.count == Self.size && bytes.allSatisfy { $0 == 7 })
    // A file of another size is not the object.
    try Data(count: 10).write(to: URL(fileURLWithPath: path))
    #expect(cache.whole(second) == nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: cache.fetch([second])[0])) == bytes)
  }

  @Test(
    "Signatures are not part of an address's identity",
    arguments: [
      ("?sv=2024-11-04&se=2026-12-01T00%3A00Z&sr=b&sp=r&sig=abc%3D&v=1", "v=1"),
      ("?sp=r&st=2026&se=2027&spr=https&sv=2024-11-04&sr=c&sig=x", ""),
      ("?Policy=eyJ&Signature=ab~&Key-Pair-Id=K1&take=2", "take=2"),
      ("?Expires=17&Signature=ab&Key-Pair-Id=K1&Hash-Algorithm=SHA256", ""),
      ("?GoogleAccessId=a@b.iam&Expires=1&Signature=x", ""),
      ("?X-Goog-Signature=1&X-Goog-Date=2&generation=7", "generation=7"),
      ("?X-Amz-Signature=1&AWSAccessKeyId=2&versionId=3", "versionId=3"),
      // Parameters with the same names, without a signature.
      ("?se=1&sr=2&policy=all", "se=1&sr=2&policy=all"),
    ])
  func signatures(_ query: String, _ rest: String) {
    #expect(ObjectStore.unsignedQuery("https://host/a.mp4\(query)#x") == rest)
  }
}

@Suite("Store: hostile addresses and servers", .timed) struct HostileTests {
  @Test("A prefix with too many objects is refused") func tooMany() throws {
    var limits = FetchLimits()
    limits.objectCount = 3
    let server = LoopbackServer { _, number in
      let keys = (0..<2).map {
        "<Contents><Key>p/\(number)-\($0)</Key><Size>1</Size></Contents>"
      }
      let text =
        "<ListBucketResult>\(keys.joined())<IsTruncated>true</IsTruncated>"
        + "<NextContinuationToken>\(number)</NextContinuationToken></ListBucketResult>"
      return .init(body: Array(text.utf8))
    }
    let error = try #require(try Bench(server, limits: limits).error("s3://bucket/p/"))
    #expect(error.kind == .usage && error.description.contains("more than 3 objects"))
    #expect(server.requests.count == 2)
  }

  @Test("A size above the limit is refused before bytes are received") func tooLarge() throws {
    let server = LoopbackServer { _, _ in .init(length: 10_000_000_000_000) }
    let error = try #require(try Bench(server).error("s3://bucket/a.webm"))
    #expect(error.kind == .usage && error.description.contains("--max-input-size"))
    #expect(server.requests.allSatisfy { $0.method == "HEAD" })
  }

  @Test("Keys that lead out of a folder are refused") func keys() throws {
    let server = LoopbackServer { _, _ in
      .init(
        body: Array(
          "<L><Contents><Key>p/../../x</Key><Size>1</Size></Contents></L>".utf8))
    }
    let error = try #require(try Bench(server).error("s3://bucket/p/"))
    #expect(error.description.contains("no file can have"))
    #expect(server.requests.count == 1)
  }

  @Test("A recording's address on a private network is not requested") func addresses() throws {
    let other = LoopbackServer { request, _ in .part(object, request) }
    let bench = try Bench(LoopbackServer { _, _ in .init() })
    for host in ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "[::ffff:127.0.0.1]"] {
      let error = bench.error("https://\(host):\(other.port)/x.webm", isNamedByUser: false)
      #expect(error?.description.contains("not on the public network") == true, "\(host)")
    }
    #expect(bench.error("http://127.0.0.1:\(other.port)/x", isNamedByUser: false)?.kind == .usage)
    #expect(other.requests.isEmpty)
  }

  @Test("Redirects stay on the host and are limited") func redirects() throws {
    let other = LoopbackServer { request, _ in .part(object, request) }
    let server = LoopbackServer { request, _ in
      let target =
        switch request.target {
        case "/loop": "/loop"
        case "/other": "http://127.0.0.2:\(other.port)/x"
        case "/file": "file:///etc/passwd"
        default: "/end"
        }
      return request.target == "/end"
        ? .part(object, request) : .init(status: 302, headers: ["Location": target])
    }
    let bench = try Bench(server)
    #expect(try bench.fetch(server.address + "/begin?secret=1") == object)
    #expect(bench.error(server.address + "/loop")?.description.contains("more than 5") == true)
    #expect(
      bench.error(server.address + "/other")?.description.contains("--allow-redirects") == true)
    #expect(bench.error(server.address + "/file")?.description.contains("invalid") == true)
    #expect(other.requests.isEmpty)
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == nil })
  }

  @Test("Expired credentials are reported without their content") func expired() throws {
    let server = LoopbackServer { request, _ in
      let text = "<Error><Code>ExpiredToken</Code><Message>geheim</Message></Error>"
      return .init(status: 400, body: request.method == "HEAD" ? [] : Array(text.utf8))
    }
    let error = try #require(try Bench(server).error("s3://bucket/a.webm"))
    #expect(error.kind == .temporary)
    #expect(error.description.contains("expired"))
    #expect(!error.description.contains("geheim") && !error.description.contains("marke"))
  }
}

@Suite("Store: uploads", .timed) struct UploadingTests {
  @Test("Parts are assembled at the end") func parts() throws {
    let server = LoopbackServer { request, _ in
      if request.target.hasSuffix("uploads=") {
        return .init(body: Array("<R><UploadId>u</UploadId></R>".utf8))
      }
      if request.method == "POST" {
        return .init(body: Array("<CompleteMultipartUploadResult/>".utf8))
      }
      if request.method == "HEAD" { return .init(length: 17 << 20) }
      return .init(headers: ["ETag": "\"part\""])
    }
    let bench = try Bench(server)
    try bench.store.upload(try bench.file(17 << 20), to: try Location("s3://bucket/out.mp4"))
    let requests = server.requests
    #expect(requests.map(\.method) == ["POST", "PUT", "PUT", "POST", "HEAD"])
    #expect(requests.filter { $0.method == "PUT" }.allSatisfy { $0.target.contains("uploadId=u") })
    #expect(requests.first?.headers["content-type"] == "video/mp4")
  }

  @Test("After a failure nothing is left") func aborted() throws {
    let server = LoopbackServer { request, _ in
      if request.method == "POST" {
        return .init(body: Array("<R><UploadId>u</UploadId></R>".utf8))
      }
      return .init(status: request.method == "PUT" ? 403 : 204)
    }
    let bench = try Bench(server)
    let file = try bench.file(17 << 20)
    #expect(throws: StorageError.self) {
      try bench.store.upload(file, to: try Location("s3://bucket/out.mp4"))
    }
    #expect(server.requests.last?.method == "DELETE")
    #expect(server.requests.last?.target.contains("uploadId=u") == true)
  }
}
