import CTesseraCurl
import Glibc
import TesseraSystem

/// A libcurl handle, whose connection stays open between requests. Used by one thread at a time.
@safe final class HTTPConnection: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer
  private let policy: ConnectionPolicy

  private static let isReady: Bool = ccurl_begin() == CURLE_OK

  init?(_ policy: ConnectionPolicy) {
    guard Self.isReady, let handle = unsafe curl_easy_init() else { return nil }
    unsafe self.handle = unsafe handle
    self.policy = policy
  }

  deinit { unsafe curl_easy_cleanup(handle) }

  /// Sends `request` once and passes the body of a successful response to `sink`. Retries are up to
  /// ``HTTPClient``.
  func send(
    _ request: HTTPRequest, into sink: any BodySink
  ) throws(TransferFailure) -> HTTPResponseHead {
    let transfer = HTTPTransfer(sink, body: request.body, policy: policy)
    unsafe transfer.handle = unsafe handle
    unsafe curl_easy_reset(handle)
    let headers = unsafe list(request)
    defer { unsafe curl_slist_free_all(headers) }
    unsafe ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
    configure()
    set(request)
    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    unsafe connect(context)
    let code = withExtendedLifetime(transfer) { unsafe curl_easy_perform(handle) }
    transfer.response.status = unsafe Int(ccurl_status(handle))
    if let failure = transfer.failure(code) { throw failure }
    return transfer.response
  }

  @unsafe private func list(_ request: HTTPRequest) -> UnsafeMutablePointer<curl_slist>? {
    var lines = request.headers.filter { $0.key != "host" }.map { "\($0.key): \($0.value)" }
    // Empty values keep libcurl from adding its own headers.
    lines += ["expect:", "accept: */*"]
    if request.headers["content-type"] == nil { lines.append("content-type:") }
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines where !line.utf8.contains(where: { $0 < 0x20 && $0 != 9 }) {
      unsafe list = unsafe curl_slist_append(list, line)
    }
    return unsafe list
  }

  private func configure() {
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_PATH_AS_IS, 1),
      (CURLOPT_HTTP_VERSION, 2), (CURLOPT_CONNECTTIMEOUT, policy.connectSeconds),
      (CURLOPT_LOW_SPEED_LIMIT, 1024), (CURLOPT_LOW_SPEED_TIME, policy.stallSeconds),
      (CURLOPT_TIMEOUT, policy.seconds), (CURLOPT_TCP_KEEPALIVE, 1),
      (CURLOPT_BUFFERSIZE, 256 << 10), (CURLOPT_NETRC, 0),
      (CURLOPT_NOPROGRESS, 0),
    ]
    for (option, value) in numbers { unsafe ccurl_set_number(handle, option, value) }
    // An empty proxy makes libcurl ignore the proxy variables of the environment.
    unsafe ccurl_set_text(handle, CURLOPT_PROXY, "")
    unsafe ccurl_set_text(
      handle, CURLOPT_PROTOCOLS_STR, policy.allowsPlain ? "http,https" : "https")
    unsafe ccurl_set_text(handle, CURLOPT_USERAGENT, "tessera")
    if let authorities = policy.authorities {
      unsafe ccurl_set_text(handle, CURLOPT_CAINFO, authorities)
    }
  }

  private func set(_ request: HTTPRequest) {
    unsafe ccurl_set_text(handle, CURLOPT_URL, request.address.text)
    unsafe ccurl_set_number(handle, CURLOPT_FRESH_CONNECT, request.isRepeatable ? 0 : 1)
    switch request.method {
    case "HEAD": unsafe ccurl_set_number(handle, CURLOPT_NOBODY, 1)
    case "GET": unsafe ccurl_set_number(handle, CURLOPT_HTTPGET, 1)
    case "DELETE": unsafe ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, "DELETE")
    default:
      unsafe ccurl_set_number(handle, CURLOPT_UPLOAD, 1)
      unsafe ccurl_set_offset(
        handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.body.count))
      unsafe ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
    }
  }

  @unsafe private func connect(_ context: UnsafeMutableRawPointer) {
    unsafe ccurl_set_data(handle, CURLOPT_WRITEFUNCTION) { data, size, count, context in
      unsafe HTTPTransfer.of(context)?.take(data, size * count) ?? 0
    }
    unsafe ccurl_set_data(handle, CURLOPT_HEADERFUNCTION) { data, size, count, context in
      unsafe HTTPTransfer.of(context)?.takeHeader(data, size * count) ?? 0
    }
    unsafe ccurl_set_data(handle, CURLOPT_READFUNCTION) { data, size, count, context in
      unsafe HTTPTransfer.of(context)?.give(data, size * count) ?? 0x1000_0000
    }
    unsafe ccurl_set_progress(handle) { context, _, _, _, _ in
      unsafe HTTPTransfer.of(context)?.policy.cancellation.isCancelled == false ? 0 : 1
    }
    unsafe ccurl_set_socket(handle) { context, purpose, address in
      unsafe HTTPTransfer.of(context)?.open(purpose, address) ?? -1
    }
    let contexts = [
      CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_XFERINFODATA,
      CURLOPT_OPENSOCKETDATA,
    ]
    for option in contexts { unsafe ccurl_set_pointer(handle, option, context) }
  }
}

/// The timeouts and permissions of connections.
struct ConnectionPolicy: Sendable {
  /// True if `http` is permitted, for an endpoint that the user has configured.
  var allowsPlain = false
  /// True if only public network addresses may be connected to.
  var guardsAddresses = false
  var connectSeconds = 10
  /// The time in seconds for which a transfer may stay below 1 KiB/s.
  var stallSeconds = 30
  /// The timeout of a whole request in seconds; 0 for none.
  var seconds = 0
  /// The file of CA certificates; `nil` for the system's.
  var authorities: String?
  var cancellation = Cancellation()
}

/// The reason why a request got no complete response.
enum TransferFailure: Error, Hashable {
  /// A retry may succeed.
  case temporary(String)
  /// A retry cannot succeed.
  case permanent(String)
  case cancelled
}
