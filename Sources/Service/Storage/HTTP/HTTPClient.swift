import Glibc
import TesseraMessages
import TesseraSystem

/// Sends requests over keep-alive connections and retries temporary failures.
///
/// A failed upload is retried in three places: `send` repeats one request; `S3Client.begin` and
/// `S3Client.upload` (`S3/S3Client+Writing.swift`) start a multipart upload again; `BatchEngine`
/// repeats a whole job.
final class HTTPClient: Sendable {
  let policy: ConnectionPolicy
  let retries: RetryPolicy
  private let idle = ConditionLock<[HTTPConnection]>([])

  init(_ policy: ConnectionPolicy, retries: RetryPolicy = RetryPolicy()) {
    (self.policy, self.retries) = (policy, retries)
  }

  /// Sends a request until the response is not a temporary failure, and passes the body of a
  /// success to `sink`.
  ///
  /// - Parameters:
  ///   - what: the action for messages, such as `fetch s3://bucket/key`.
  ///   - sink: receives the body. The attempt count restarts whenever an attempt brought bytes.
  ///   - request: creates the request of each attempt.
  /// - Returns: the response, which may be a permanent error.
  /// - Throws: ``StorageError`` if all attempts failed.
  func send(
    _ what: String, into sink: any BodySink = MemorySink(),
    _ request: () throws(StorageError) -> HTTPRequest
  ) throws(StorageError) -> HTTPResponseHead {
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
  ) throws(TransferFailure) -> HTTPResponseHead {
    guard let connection = idle.withLock({ $0.popLast() }) ?? HTTPConnection(policy) else {
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

/// The number and timing of a request's attempts: exponential backoff with full jitter.
struct RetryPolicy: Sendable {
  var attempts = 7
  /// The maximum wait after the first attempt, in seconds. It doubles with each attempt.
  var base = 0.25
  /// The upper limit of the maximum wait, in seconds.
  var cap = 20.0

  /// Returns the seconds to wait after an attempt, counted from 1. `asked` is the server's
  /// `Retry-After` value, of which up to 60 s are respected.
  func seconds(after attempt: Int, asked: Double?) -> Double {
    let longest = min(cap, base * Double(1 << min(attempt - 1, 16)))
    let random = Double.random(in: 0...longest)
    guard let asked, asked > 0 else { return random }
    return min(asked, 60) + random
  }
}

extension HTTPResponseHead {
  /// True if a retry of the request may succeed.
  var isTemporary: Bool {
    switch status {
    case 408, 429, 500, 502, 503, 504, 507..<600: true
    case 400: errorCode == "RequestTimeout"
    // An object that is not empty has ranges, so this 416 is wrong.
    case 416: headers["content-range"].map { $0 != "bytes */0" } ?? false
    default: false
    }
  }

  /// True if the server refused the request because its timestamp differs too much from the
  /// server's clock.
  var isClockWrong: Bool { errorCode == "RequestTimeTooSkewed" }

  /// The code of an error that S3 describes in XML.
  var errorCode: String? { errorElement?.first("Code")?.text }

  /// The region that the server expects; `nil` if the response names none, or a name that a host
  /// name cannot contain.
  var namedRegion: String? {
    let name = headers["x-amz-bucket-region"] ?? errorElement?.first("Region")?.text
    return name.flatMap { S3Client.isRegion($0) ? $0 : nil }
  }

  /// The message of an error that S3 describes in XML.
  var errorMessage: String? { errorElement?.first("Message")?.text }

  private var errorElement: XMLElement? {
    guard let element = try? XMLElement.parse(errorBody) else { return nil }
    return element.name == "Error" ? element : element.first("Error")
  }
}
