import Glibc
import TesseraSystem

/// Sends requests over connections that are kept alive, again where what failed may pass.
final class HTTPClient: Sendable {
  let policy: ConnectionPolicy
  let retries: Retries
  private let idle = Monitor<[Connection]>([])

  init(_ policy: ConnectionPolicy, retries: Retries = Retries()) {
    (self.policy, self.retries) = (policy, retries)
  }

  /// Sends what `request` makes, which is called for each attempt, until the response is none that
  /// may pass; the body of a success goes to `sink`.
  ///
  /// - Parameters:
  ///   - what: what is done to what, for messages: `fetch s3://bucket/key`.
  ///   - sink: takes the body; attempts are counted from the last one that brought bytes.
  ///   - request: the request of an attempt.
  /// - Returns: the response, which may be an error that does not pass.
  /// - Throws: where there is none after all attempts.
  func send(
    _ what: String, into sink: any BodySink = MemorySink(),
    _ request: () throws(StorageError) -> HTTPRequest
  ) throws(StorageError) -> HTTPResponse {
    var attempt = 0
    while true {
      let before = sink.received
      let request = try request()
      let reason: String
      var wait: Double?
      do throws(TransferFailure) {
        let response = try once(request, into: sink)
        if response.isSuccess, let defect = sink.defect {
          reason = defect
        } else {
          guard response.isTemporary else { return response }
          reason = "the server returned \(response.status)"
        }
        wait = response.headers["retry-after"].flatMap(Double.init)
      } catch {
        switch error {
        case .temporary(let text): reason = text
        case .permanent(let text): throw StorageError(.failure, "cannot \(what): \(text).")
        case .cancelled: throw .stopped
        }
      }
      if sink.problem == .changed {
        throw .changed("cannot \(what): \(reason); run the command again.")
      }
      attempt = sink.received > before ? 1 : attempt + 1
      guard attempt < retries.attempts else {
        throw StorageError(
          .temporary, "cannot \(what): \(reason), \(attempt) times; try again later.")
      }
      try pause(retries.seconds(after: attempt, asked: wait))
    }
  }

  private func once(
    _ request: HTTPRequest, into sink: any BodySink
  ) throws(TransferFailure) -> HTTPResponse {
    guard let connection = idle.withLock({ $0.popLast() }) ?? Connection(policy) else {
      throw .permanent("libcurl does not begin")
    }
    let response = try connection.send(request, into: sink)
    idle.withLock { $0.append(connection) }
    return response
  }

  private func pause(_ seconds: Double) throws(StorageError) {
    var rest = seconds
    while rest > 0 {
      guard !policy.cancellation.isCancelled else { throw .stopped }
      usleep(UInt32(min(rest, 0.1) * 1_000_000))
      rest -= 0.1
    }
  }
}

/// How often and when something is tried again: exponential backoff with full jitter.
struct Retries: Sendable {
  var attempts = 7
  /// The longest wait after the first attempt, in seconds.
  var base = 0.25
  /// The longest wait.
  var cap = 20.0

  /// Seconds to wait after that attempt, the first one being 1; `asked` is what the server asks
  /// for.
  func seconds(after attempt: Int, asked: Double?) -> Double {
    let longest = min(cap, base * Double(1 << min(attempt - 1, 16)))
    let random = Double.random(in: 0...longest)
    guard let asked, asked > 0 else { return random }
    return min(asked, 60) + random
  }
}

extension HTTPResponse {
  /// Whether the same request may succeed later.
  var isTemporary: Bool {
    switch status {
    case 408, 429, 500, 502, 503, 504, 507..<600: true
    case 400: errorCode == "RequestTimeout"
    // Of an object that is not empty there are ranges.
    case 416: headers["content-range"].map { $0 != "bytes */0" } ?? false
    default: false
    }
  }

  /// Whether it was refused because the time in it was not the server's.
  var isClockWrong: Bool { errorCode == "RequestTimeTooSkewed" }

  /// The code of an error that S3 describes in XML.
  var errorCode: String? { errorElement?.first("Code")?.text }

  /// The region that the server expects; `nil` if it names none, or none that a host's name can hold.
  var namedRegion: String? {
    let name = headers["x-amz-bucket-region"] ?? errorElement?.first("Region")?.text
    return name.flatMap { S3.isRegion($0) ? $0 : nil }
  }

  /// What S3 says of an error.
  var errorMessage: String? { errorElement?.first("Message")?.text }

  private var errorElement: XMLElement? {
    guard let element = try? XMLElement.parse(errorBody) else { return nil }
    return element.name == "Error" ? element : element.first("Error")
  }
}
