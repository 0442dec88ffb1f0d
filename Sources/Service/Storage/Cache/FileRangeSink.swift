import Glibc
import TesseraMessages
import TesseraSystem

/// The facts about an object from the first response or a listing: size, ETag and Last-Modified.
struct ObjectMetadata: Hashable, Sendable, Codable {
  /// The size in bytes.
  var size: Int
  /// The ETag, as the server writes it.
  var tag: String?
  /// The Last-Modified date, as the server writes it.
  var modified: String?
  /// True if the server sends byte ranges of the object.
  var hasRanges = true

  /// Reads the facts from a response; `nil` if the response does not state the object's total size.
  init?(_ response: HTTPResponseHead) {
    guard let size = response.contentRange?.total ?? response.contentLength, size >= 0 else {
      return nil
    }
    self.size = size
    (tag, modified) = (response.headers["etag"], response.headers["last-modified"])
    hasRanges = response.isRange || response.headers["accept-ranges"] == "bytes"
  }

  init(size: Int, tag: String?) { (self.size, self.tag) = (size, tag) }

  /// True if the response's ETag, or else its Last-Modified date, matches these facts.
  func areSame(as response: HTTPResponseHead) -> Bool {
    if let tag { return response.headers["etag"].map(Self.value) == Self.value(tag) }
    guard let modified else { return true }
    return response.headers["last-modified"] == modified
  }

  /// The tag for `If-Match`, in quotation marks. `nil` for a weak tag, because `If-Match` never
  /// matches a weak tag.
  var strongTag: String? { tag.flatMap { $0.hasPrefix("W/") ? nil : "\"\(Self.value($0))\"" } }

  /// Returns a tag without `W/` and quotation marks. Servers write them in responses and omit them
  /// in listings.
  static func value(_ tag: String) -> String {
    let text = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    guard text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
    return String(text.dropFirst().dropLast())
  }
}

/// Writes a byte range of an object to the same offsets of a file.
final class FileRangeSink: BodySink {
  private let descriptor: CInt
  private let facts: ObjectMetadata
  private let range: Range<Int>
  /// The file offset of the next byte.
  private(set) var position: Int
  private(set) var problem: SinkProblem?
  var received: Int { facts.hasRanges ? position - range.lowerBound : 0 }

  init(_ descriptor: CInt, _ range: Range<Int>, of facts: ObjectMetadata) {
    (self.descriptor, self.range, self.facts) = (descriptor, range, facts)
    position = range.lowerBound
  }

  /// True if the whole range has arrived.
  var isFull: Bool { position == range.upperBound }

  /// The `Range` and `If-Match` headers that request the missing rest of the range.
  var headers: [String: String] {
    guard facts.hasRanges, facts.size > 0 else { return [:] }
    var headers = ["range": "bytes=\(position)-\(range.upperBound - 1)"]
    headers["if-match"] = facts.strongTag
    return headers
  }

  func begin(_ response: HTTPResponseHead) -> String? {
    problem = nil
    guard facts.areSame(as: response) else {
      problem = .changed
      return "it changed while it was fetched"
    }
    if response.isRange {
      guard let sent = response.contentRange, sent.start == position else {
        return "the server sent another range than it was asked for"
      }
      guard sent.total == facts.size else {
        problem = .changed
        return "it changed while it was fetched"
      }
      guard response.contentLength.map({ $0 == range.upperBound - position }) ?? true else {
        return "the server announced another size than it was asked for"
      }
      return nil
    }
    guard range == 0..<facts.size else {
      return "the server sent the whole object instead of a range of it"
    }
    guard response.contentLength.map({ $0 == facts.size }) ?? true else {
      return "the server announced another size than before"
    }
    position = 0
    return nil
  }

  /// Calls `send`, which requests ``headers`` into this sink, until the range is complete.
  func fill(
    _ what: String, _ send: () throws(StorageError) -> HTTPResponseHead
  ) throws(StorageError) {
    while !isFull {
      let before = position
      let response = try send()
      guard response.isSuccess else { throw response.error(what) }
      guard position > before else {
        throw StorageError(.temporary, "cannot \(what): the server sent nothing; try again later.")
      }
    }
  }

  @unsafe func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= range.upperBound - position else {
      problem = .tooLong
      return false
    }
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
      let count = unsafe pwrite(descriptor, part.baseAddress, part.count, position)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        problem = unsafe .unwritable(String(cString: strerror(errno)))
        return false
      }
      position += count
      unsafe rest = rest.dropFirst(count)
    }
    return true
  }
}
