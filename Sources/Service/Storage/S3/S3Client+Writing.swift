import Glibc
import TesseraMessages
import TesseraSystem

extension S3Client {
  /// The size in bytes up to which an object is put in one request. Larger objects are sent in
  /// parts of at least this size.
  static let partSize = 16 << 20

  /// Uploads a file as an object, completely or not at all.
  ///
  /// Failed requests are retried by ``HTTPClient``, multipart uploads by the private `upload`
  /// below.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - bucket: the bucket's name.
  ///   - key: the object's key.
  ///   - type: the media type.
  ///   - made: the provenance string for the object's metadata; `nil` for none.
  ///   - threads: the number of parts that are sent at a time.
  ///   - progress: called with the number of bytes after each part, on any thread.
  /// - Throws: ``StorageError`` if the object is not complete in the end.
  func upload(
    _ path: String, to bucket: String, _ key: String, type: String, made: String? = nil,
    threads: Int = 4,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws(StorageError) {
    let what = "upload s3://\(bucket)/\(key)"
    guard let file = try? OwnedFileDescriptor(opening: path, O_RDONLY) else {
      throw StorageError(.failure, "cannot \(what): \(file: path) cannot be read.")
    }
    let size = FileOperations.byteCount(of: path)
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

  /// Puts a small file in one request, or sends a multipart upload.
  ///
  /// If another process ends the multipart upload, a new one starts, up to three times in all.
  /// The other retries of an upload: `HTTPClient.send` repeats each request, `begin` repeats a
  /// start with an unreadable response, and `BatchEngine` repeats the whole job of a batch.
  private func upload(
    _ what: String, _ descriptor: CInt, _ size: Int, _ bucket: String, _ key: String,
    _ headers: [String: String], _ threads: Int, _ progress: @escaping @Sendable (Int) -> Void
  ) throws(StorageError) {
    if size <= Self.partSize {
      _ = try success(what) {
        UnsignedRequest(
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

  /// The maximum number of starts of a multipart upload that other processes end.
  private static let mostBeginnings = 3

  private static func headers(_ type: String) -> [String: String] {
    ["content-type": type, mark.name: mark.value]
  }

  /// Checks that a key can be written: starts a multipart upload and aborts it.
  ///
  /// - Throws: ``StorageError`` if the server refuses.
  func requireWritable(_ bucket: String, _ key: String, type: String) throws(StorageError) {
    // Credentials that may start uploads but not abort them leave one open upload, not one per
    // check.
    guard endAbandoned(bucket, where: { $0 == key }) else { return }
    let upload = try begin("write s3://\(bucket)/\(key)", bucket, key, Self.headers(type))
    let record = records.add(upload)
    if abort(upload) { record?.remove() }
  }

  /// Aborts the uploads that killed processes of this user on this machine have left open, for keys
  /// that satisfy `isMeant`. Returns `false` if an upload is still open.
  @discardableResult
  func endAbandoned(_ bucket: String, where isMeant: (_ key: String) -> Bool) -> Bool {
    records.abandoned(bucket, where: isMeant).reduce(true) { areEnded, record in
      let isEnded = abort(record.upload)
      if isEnded { record.remove() }
      return areEnded && isEnded
    }
  }

  /// Uploads bytes in one request.
  func put(
    _ bytes: [UInt8], _ bucket: String, _ key: String, type: String
  ) throws(StorageError) {
    _ = try success("upload s3://\(bucket)/\(key)") {
      UnsignedRequest(
        method: "PUT", bucket: bucket, key: key, headers: Self.headers(type), body: .bytes(bytes))
    }
  }

  /// The identity of an open multipart upload.
  struct Upload: Codable, Sendable {
    let bucket: String
    let key: String
    let identifier: String
  }

  /// Starts a multipart upload. Repeats the start up to three times if the response has no readable
  /// upload ID.
  ///
  /// If a response is lost, its upload stays open: no one knows its ID. The other retries of an
  /// upload are `HTTPClient.send` (one request) and the private `upload` above (a whole multipart
  /// upload).
  private func begin(
    _ what: String, _ bucket: String, _ key: String, _ headers: [String: String]
  ) throws(StorageError) -> Upload {
    // A response may be truncated.
    for _ in 0..<Self.beginnings {
      let sink = MemorySink(limit: 1 << 20)
      _ = try success(what, into: sink) {
        UnsignedRequest(
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

  /// The maximum number of starts whose response is unreadable.
  private static let beginnings = 3

  /// Sends all parts in parallel and returns their ETags.
  private func sendParts(
    _ what: String, _ upload: Upload, _ descriptor: CInt, _ size: Int, _ threads: Int,
    _ progress: @escaping @Sendable (Int) -> Void
  ) throws(StorageError) -> [String] {
    // S3 permits 10,000 parts per object.
    let partSize = max(Self.partSize, (size + 9_999) / 10_000)
    let count = (size + partSize - 1) / partSize
    let tags = ConditionLock([String](repeating: "", count: count))
    try ParallelRunner.run(count, threads: threads, name: "upload") { number throws(StorageError) in
      let start = number * partSize
      let part = min(partSize, size - start)
      let response = try self.success(what) {
        UnsignedRequest(
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
      UnsignedRequest(
        method: "POST", bucket: upload.bucket, key: upload.key,
        query: [("uploadId", upload.identifier)], body: .bytes(Array(text.utf8)))
    }
    // A response with status 200 may contain an error. An earlier attempt whose response was lost
    // may have completed the upload.
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

  /// Aborts an upload, even after cancellation. Returns `true` if the upload no longer exists.
  @discardableResult
  private func abort(_ upload: Upload) -> Bool {
    let response = try? response("abort an upload") {
      UnsignedRequest(
        method: "DELETE", bucket: upload.bucket, key: upload.key,
        query: [("uploadId", upload.identifier)], isEnding: true)
    }
    return response.map { $0.isSuccess || $0.status == 404 } ?? false
  }
}

/// Runs work on several threads until one item fails.
enum ParallelRunner {
  /// Calls `body` with the numbers in `0..<count`. After an error, no further call starts.
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
    let state = ConditionLock(State())
    let workers = ThreadGroup(count: max(1, min(threads, count)), name: name) {
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
