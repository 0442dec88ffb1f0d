import CTesseraCurl
import Glibc
import TesseraSystem

/// The state of one request, for the callbacks of libcurl.
@safe final class HTTPTransfer {
  let policy: ConnectionPolicy
  var response = HTTPResponseHead()
  var handle: UnsafeMutableRawPointer?
  private let sink: any BodySink
  private let body: RequestBody
  private var sent = 0
  private var hasBegun = false
  /// The reason why the sink rejected the response's head.
  private var mismatch: String?
  private var isRefused = false

  init(_ sink: any BodySink, body: RequestBody, policy: ConnectionPolicy) {
    (self.sink, self.body, self.policy) = (sink, body, policy)
  }

  @unsafe static func of(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer? {
    unsafe context.map { unsafe Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Receives a line of the response's head.
  @unsafe func takeHeader(_ data: UnsafePointer<CChar>?, _ count: Int) -> Int {
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: count)
    let line = unsafe String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      // Drop the headers of an interim response (1xx).
      response.headers = [:]
    } else if let colon = line.firstIndex(of: ":"), response.headers.count < 256 {
      let value = line[line.index(after: colon)...]
      response.headers[line[..<colon].lowercased()] = String(
        value.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
    return count
  }

  /// Receives bytes of the response's body.
  @unsafe func take(_ data: UnsafePointer<CChar>?, _ count: Int) -> Int {
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: count)
    begin()
    guard mismatch == nil else { return 0 }
    if response.isSuccess { return unsafe sink.take(bytes) ? count : 0 }
    unsafe response.errorBody.append(
      contentsOf: bytes.prefix(max(0, (64 << 10) - response.errorBody.count)))
    return count
  }

  /// Examines the response's head, once.
  private func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    response.status = unsafe handle.map { unsafe Int(ccurl_status($0)) } ?? 0
    if response.isSuccess { mismatch = sink.begin(response) }
  }

  /// Supplies bytes of the request's body.
  @unsafe func give(_ data: UnsafeMutablePointer<CChar>?, _ room: Int) -> Int {
    let count = min(room, body.count - sent)
    guard count > 0, let data = unsafe data else { return 0 }
    switch body {
    case .none: return 0
    case .bytes(let bytes):
      let target = unsafe UnsafeMutableRawBufferPointer(start: data, count: count)
      unsafe target.copyBytes(from: bytes[sent..<sent + count])
      sent += count
      return count
    case .file(let descriptor, let offset, _):
      let read = unsafe pread(descriptor, data, count, offset + sent)
      // The value of CURL_READFUNC_ABORT.
      guard read > 0 else { return 0x1000_0000 }
      sent += read
      return read
    }
  }

  /// Opens a socket to the resolved address if the policy permits that address.
  @unsafe func open(
    _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
  ) -> CInt {
    guard purpose == CURLSOCKTYPE_IPCXN, let address = unsafe address else { return -1 }
    if policy.guardsAddresses {
      let isPublic = unsafe withUnsafePointer(to: &address.pointee.addr) {
        unsafe PublicAddressFilter.isPublic(UnsafeRawPointer($0), family: address.pointee.family)
      }
      guard isPublic else {
        isRefused = true
        return -1
      }
    }
    return unsafe socket(
      address.pointee.family, address.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue),
      address.pointee.protocol)
  }

  /// Returns the failure of the finished request, or `nil` if it succeeded.
  func failure(_ code: CURLcode) -> TransferFailure? {
    if policy.cancellation.isCancelled { return .cancelled }
    // An empty body causes no write callback, so the head is examined here.
    if code == CURLE_OK { begin() }
    if isRefused, code != CURLE_OK {
      return .permanent("its host is not on the public network, and such hosts are not asked")
    }
    if let mismatch { return .temporary(mismatch) }
    switch sink.problem {
    case .tooLong: return .temporary("the server sent more than it announced")
    case .enough: return nil
    case .changed: return .temporary("it changed while it was fetched")
    case .unwritable(let reason): return .permanent("it cannot be written: \(reason)")
    case nil: break
    }
    if code == CURLE_OK { return nil }
    let reason = unsafe String(cString: curl_easy_strerror(code)).lowercased()
    let permanent = [
      CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_PEER_FAILED_VERIFICATION,
      CURLE_SSL_CACERT_BADFILE, CURLE_READ_ERROR,
    ]
    return permanent.contains(code) ? .permanent(reason) : .temporary(reason)
  }
}
