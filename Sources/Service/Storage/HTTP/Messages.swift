/// What is asked for.
struct HTTPRequest {
  var method = "GET"
  var address: WebAddress
  /// Names in lower case.
  var headers: [String: String] = [:]
  var body: RequestBody = .none
  /// Whether it may be sent twice unnoticed: libcurl repeats by itself what a kept connection that
  /// breaks brings no response to.
  var isRepeatable = true
}

/// What is sent with a request.
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

/// What came back, but its body.
struct HTTPResponse {
  var status = 0
  /// Names in lower case.
  var headers: [String: String] = [:]
  /// The first bytes of the body of a response that is not a success.
  var errorBody: [UInt8] = []

  var isSuccess: Bool { (200..<300).contains(status) }

  /// The size of the whole object and where its bytes begin, of a response with a range.
  var contentRange: (start: Int, total: Int)? {
    guard let text = headers["content-range"], text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(whereSeparator: { "-/".contains($0) })
    guard parts.count == 3, let start = Int(parts[0]), let total = Int(parts[2]), start >= 0,
      total > 0
    else { return nil }
    return (start, total)
  }

  /// True if the body is a range, also where the status says that it is the whole object.
  var isRange: Bool { status == 206 || status == 200 && contentRange != nil }

  /// The size of the body as announced.
  var contentLength: Int? { headers["content-length"].flatMap { Int($0) } }
}

/// Takes the body of a response.
protocol BodySink: AnyObject {
  /// Whether the body of `response`, a success, is what is expected; else why not.
  func begin(_ response: HTTPResponse) -> String?
  /// Takes bytes; false where they are more than expected or cannot be written.
  @unsafe func take(_ bytes: UnsafeRawBufferPointer) -> Bool
  /// Why bytes were not taken.
  var problem: SinkProblem? { get }
  /// How many bytes it has, of all attempts.
  var received: Int { get }
  /// Why the body of a success has to be asked for again; nil where it is good.
  var defect: String? { get }
}

extension BodySink {
  var defect: String? { nil }
}

/// Why a body was not taken.
enum SinkProblem: Hashable {
  /// More than was announced; asking again may help.
  case tooLong
  /// What was wanted of it is there.
  case enough
  /// It is another object than the one whose other bytes are there.
  case changed
  /// It cannot be written, as the system says.
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

  func begin(_ response: HTTPResponse) -> String? {
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

/// Keeps an XML document, which is asked for again where it is cut off.
final class DocumentSink: MemorySink {
  private let isWhole: (XMLElement) -> Bool

  /// A document that also has to be `isWhole`.
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

  /// The root.
  func document() throws(XMLElement.Problem) -> XMLElement { try XMLElement.parse(bytes) }
}
