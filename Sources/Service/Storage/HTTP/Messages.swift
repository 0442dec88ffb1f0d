/// An HTTP request.
struct HTTPRequest {
  var method = "GET"
  var address: WebAddress
  /// The headers, with names in lower case.
  var headers: [String: String] = [:]
  var body: RequestBody = .none
  /// True if a duplicate does no harm. libcurl repeats a request by itself if a reused connection
  /// breaks before the response.
  var isRepeatable = true
}

/// The body of a request.
enum RequestBody {
  case none
  case bytes([UInt8])
  /// Bytes of an open file.
  case file(CInt, offset: Int, count: Int)

  var count: Int {
    switch self {
    case .none: 0
    case .bytes(let bytes): bytes.count
    case .file(_, _, let count): count
    }
  }
}

/// An HTTP response without its body.
struct HTTPResponseHead {
  var status = 0
  /// The headers, with names in lower case.
  var headers: [String: String] = [:]
  /// The first 64 KiB of the body of a response that is not a success.
  var errorBody: [UInt8] = []

  var isSuccess: Bool { (200..<300).contains(status) }

  /// The first byte and the object's total size from `Content-Range`; `nil` without a valid header.
  var contentRange: (start: Int, total: Int)? {
    guard let text = headers["content-range"], text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(whereSeparator: { "-/".contains($0) })
    guard parts.count == 3, let start = Int(parts[0]), let total = Int(parts[2]), start >= 0,
      total > 0
    else { return nil }
    return (start, total)
  }

  /// True if the body is a range, even if the status is 200.
  var isRange: Bool { status == 206 || status == 200 && contentRange != nil }

  /// The size of the body in bytes, as announced.
  var contentLength: Int? { headers["content-length"].flatMap { Int($0) } }
}

/// Receives the body of a response.
protocol BodySink: AnyObject {
  /// Prepares for the body of `response`, a success. Returns the reason if the body is not the
  /// expected one, or `nil`.
  func begin(_ response: HTTPResponseHead) -> String?
  /// Receives bytes. Returns `false` if they exceed the announced size or cannot be written.
  @unsafe func take(_ bytes: UnsafeRawBufferPointer) -> Bool
  /// The reason why the sink refused bytes; `nil` if it did not.
  var problem: SinkProblem? { get }
  /// The number of bytes received over all attempts.
  var received: Int { get }
  /// The reason why a complete body must be requested again; `nil` if the body is good.
  var defect: String? { get }
}

extension BodySink {
  var defect: String? { nil }
}

/// The reason why a sink refused a body.
enum SinkProblem: Hashable {
  /// The body is longer than announced. A retry may help.
  case tooLong
  /// The sink has all that it needs of the body.
  case enough
  /// The object changed since its first bytes were fetched.
  case changed
  /// The file cannot be written, with the system's reason.
  case unwritable(String)
}

/// Keeps a short body in memory.
class MemorySink: BodySink {
  private let limit: Int
  private(set) var bytes: [UInt8] = []
  private(set) var problem: SinkProblem?
  var received: Int { 0 }
  var defect: String? { nil }

  init(limit: Int = 8 << 20) { self.limit = limit }

  func begin(_ response: HTTPResponseHead) -> String? {
    (bytes, problem) = ([], nil)
    return nil
  }

  @unsafe func take(_ more: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count + more.count <= limit else {
      problem = .tooLong
      return false
    }
    unsafe bytes.append(contentsOf: more)
    return true
  }
}

/// Keeps an XML document and reports a truncated document as a defect, so that the request is
/// repeated.
final class XMLBodySink: MemorySink {
  private let isWhole: (XMLElement) -> Bool

  /// Creates a sink whose document must also satisfy `isWhole`.
  init(isWhole: @escaping (XMLElement) -> Bool = { _ in true }) {
    self.isWhole = isWhole
    super.init(limit: XMLElement.maximumSize)
  }

  override var defect: String? {
    do throws(XMLElement.Problem) {
      return isWhole(try document()) ? nil : "the response is cut off"
    } catch {
      return error == .cutOff ? "the response is cut off" : nil
    }
  }

  /// Parses the document and returns its root element.
  func document() throws(XMLElement.Problem) -> XMLElement { try XMLElement.parse(bytes) }
}
