import Glibc
import TesseraSystem

extension S3 {
  /// Up to this size, an object is put in one request; larger ones in parts of at least this size.
  static let partSize = 16 << 20

  /// Puts a file at a key, whole or not at all.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - bucket: where to.
  ///   - key: what it is called there.
  ///   - type: its media type.
  ///   - made: what it was made from.
  ///   - threads: how many parts are sent at a time.
  ///   - progress: called with bytes as they are sent, from any thread.
  /// - Throws: where not all of it is there in the end.
  func upload(
    _ path: String, to bucket: String, _ key: String, type: String, made: String? = nil,
    threads: Int = 4,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws(StorageError) {
    let what = "upload s3://\(bucket)/\(key)"
    guard let file = try? OwnedDescriptor(opening: path, O_RDONLY) else {
      throw StorageError(.failure, "cannot \(what): \(path) cannot be read.")
    }
    let size = FileSystem.byteCount(of: path)
    var headers = Self.headers(type)
    headers[Self.source] = made
    endAbandoned(bucket) { $0 == key }
    try upload(what, file.number, size, bucket, key, headers, threads, progress)
    guard try facts(bucket, key).size == size else {
      throw StorageError(
        .temporary, "cannot \(what): the uploaded object has a different size; try again.")
    }
    _ = consume file
  }

  private func upload(
    _ what: String, _ descriptor: CInt, _ size: Int, _ bucket: String, _ key: String,
    _ headers: [String: String], _ threads: Int, _ progress: @escaping @Sendable (Int) -> Void
  ) throws(StorageError) {
    if size <= Self.partSize {
      _ = try success(what) {
        Call(
          method: "PUT", bucket: bucket, key: key, headers: headers,
          body: .file(descriptor, offset: 0, count: size))
      }
      progress(size)
    } else {
      var ends = 0
      while true {
        let upload = try begin(what, bucket, key, headers)
        let record = records.add(upload)
        do throws(StorageError) {
          let tags = try sendParts(what, upload, descriptor, size, threads, progress)
          try complete(what, upload, tags, size)
          record?.remove()
          return
        } catch {
          if abort(upload) { record?.remove() }
          ends += 1
          guard error.isEnd, ends < Self.mostBeginnings else { throw error }
        }
      }
    }
  }

  /// How often an upload is begun that somebody else ends.
  private static let mostBeginnings = 3

  private static func headers(_ type: String) -> [String: String] {
    ["content-type": type, mark.name: mark.value]
  }

  /// Makes sure that a key may be written: begins an upload, and ends it.
  ///
  /// - Throws: where the server refuses it.
  func requireWritable(_ bucket: String, _ key: String, type: String) throws(StorageError) {
    // Who may begin uploads and not end them leaves one, and not one each time.
    guard endAbandoned(bucket, where: { $0 == key }) else { return }
    let upload = try begin("write s3://\(bucket)/\(key)", bucket, key, Self.headers(type))
    let record = records.add(upload)
    if abort(upload) { record?.remove() }
  }

  /// Ends what processes of this user on this machine that were killed had under way to keys that are
  /// meant; false if one of them is still there.
  @discardableResult
  func endAbandoned(_ bucket: String, where isMeant: (_ key: String) -> Bool) -> Bool {
    records.abandoned(bucket, where: isMeant).reduce(true) { areEnded, record in
      let isEnded = abort(record.upload)
      if isEnded { record.remove() }
      return areEnded && isEnded
    }
  }

  /// Puts bytes at a key.
  func put(
    _ bytes: [UInt8], _ bucket: String, _ key: String, type: String
  ) throws(StorageError) {
    _ = try success("upload s3://\(bucket)/\(key)") {
      Call(
        method: "PUT", bucket: bucket, key: key, headers: Self.headers(type), body: .bytes(bytes))
    }
  }

  /// An upload in parts that is under way.
  struct Upload: Codable, Sendable {
    let bucket: String
    let key: String
    let identifier: String
  }

  /// Begins one.
  ///
  /// Where a server begins one and its response is lost, nobody can know later whose that is, so
  /// that nobody ends it.
  private func begin(
    _ what: String, _ bucket: String, _ key: String, _ headers: [String: String]
  ) throws(StorageError) -> Upload {
    // A response may come cut off.
    for _ in 0..<Self.beginnings {
      let sink = MemorySink(limit: 1 << 20)
      _ = try success(what, into: sink) {
        Call(
          method: "POST", bucket: bucket, key: key, query: [("uploads", "")], headers: headers,
          isRepeatable: false)
      }
      if let root = try? XMLElement.parse(sink.bytes),
        let identifier = root.first("UploadId")?.text, !identifier.isEmpty
      {
        return Upload(bucket: bucket, key: key, identifier: identifier)
      }
    }
    throw StorageError(
      .temporary, "cannot \(what): the server does not start an upload; try again later.")
  }

  /// How often an upload is begun whose response cannot be read.
  private static let beginnings = 3

  /// Sends all parts; returns their tags.
  private func sendParts(
    _ what: String, _ upload: Upload, _ descriptor: CInt, _ size: Int, _ threads: Int,
    _ progress: @escaping @Sendable (Int) -> Void
  ) throws(StorageError) -> [String] {
    // No object has more than ten thousand parts.
    let partSize = max(Self.partSize, (size + 9_999) / 10_000)
    let count = (size + partSize - 1) / partSize
    let tags = Monitor([String](repeating: "", count: count))
    try Parallel.run(count, threads: threads, name: "upload") { number throws(StorageError) in
      let start = number * partSize
      let part = min(partSize, size - start)
      let response = try self.success(what) {
        Call(
          method: "PUT", bucket: upload.bucket, key: upload.key,
          query: [("partNumber", "\(number + 1)"), ("uploadId", upload.identifier)],
          body: .file(descriptor, offset: start, count: part))
      }
      guard let tag = response.headers["etag"] else {
        throw StorageError(.failure, "cannot \(what): the server does not name a part.")
      }
      tags.withLock { $0[number] = tag }
      progress(part)
    }
    return tags.withLock { $0 }
  }

  private func complete(
    _ what: String, _ upload: Upload, _ tags: [String], _ size: Int
  ) throws(StorageError) {
    let parts = tags.enumerated().map { number, tag in
      let escaped = tag.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
      return "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(escaped)</ETag></Part>"
    }
    let text = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
    let sink = MemorySink(limit: 1 << 20)
    let response = try response(what, into: sink) {
      Call(
        method: "POST", bucket: upload.bucket, key: upload.key,
        query: [("uploadId", upload.identifier)], body: .bytes(Array(text.utf8)))
    }
    // A success may still describe an error; and an earlier attempt, whose response was lost, may
    // have completed it.
    let isComplete =
      response.isSuccess
      && (try? XMLElement.parse(sink.bytes))?.name == "CompleteMultipartUploadResult"
    guard isComplete || (try? facts(upload.bucket, upload.key).size) == size else {
      guard !response.isSuccess else {
        throw StorageError(
          .temporary, "cannot \(what): the server did not complete it; try again later.")
      }
      throw response.error(what)
    }
  }

  /// Ends an upload, also once somebody has asked to stop; returns whether it is at its end.
  @discardableResult
  private func abort(_ upload: Upload) -> Bool {
    let response = try? response("abort an upload") {
      Call(
        method: "DELETE", bucket: upload.bucket, key: upload.key,
        query: [("uploadId", upload.identifier)], isEnding: true)
    }
    return response.map { $0.isSuccess || $0.status == 404 } ?? false
  }
}

/// Pieces of work on several threads, until one fails.
enum Parallel {
  /// Runs `body` for the numbers from 0 to below `count`; after an error, nothing more is begun.
  ///
  /// - Throws: the first error.
  static func run(
    _ count: Int, threads: Int, name: String,
    _ body: @escaping @Sendable (Int) throws(StorageError) -> Void
  ) throws(StorageError) {
    struct State {
      var next = 0
      var error: StorageError?
    }
    let state = Monitor(State())
    let workers = WorkerThreads(count: max(1, min(threads, count)), name: name) {
      while true {
        let number = state.withLock { state -> Int? in
          guard state.error == nil, state.next < count else { return nil }
          state.next += 1
          return state.next - 1
        }
        guard let number else { return }
        do throws(StorageError) { try body(number) } catch {
          state.withLock { $0.error = $0.error ?? error }
        }
      }
    }
    workers.join()
    if let error = state.withLock({ $0.error }) { throw error }
  }
}
