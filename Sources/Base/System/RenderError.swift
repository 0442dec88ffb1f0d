import Glibc
public import TesseraMessages

/// An error that prevents or stops a render, as one sentence that names the file and the remedy.
public struct RenderError: Error, Hashable, Sendable {
  /// The cause of an error. The command derives its exit code from the cause.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// The request contradicts itself or asks for something that does not exist.
    case usage
    /// An input, an encoder or the output failed.
    case failure
    /// A temporary failure, such as lack of space or memory, or a concurrent render. A retry may
    /// succeed.
    case temporary
    /// The render was cancelled by request.
    case cancelled
  }

  public let kind: Kind
  /// The sentence with option names and paths as values.
  package let sentence: UserMessage
  /// The sentence with options as members of requests, such as `"from"`.
  public var message: String { sentence.description }
  /// The sentence with options as on the command line, such as `--from`.
  package var commandLine: String { sentence.commandLine }

  /// Creates an error from a message with options and paths as values.
  package init(_ kind: Kind, _ sentence: UserMessage) {
    (self.kind, self.sentence) = (kind, sentence)
  }

  /// Creates an error from a failed system call, with advice if space ran out. `prefix` precedes
  /// the system error's text.
  package init(_ error: SystemError, prefix: UserMessage = "") {
    let advice = error.isOutOfSpace ? "; make room there, or name another folder" : ""
    let kind =
      error.isTransient ? Kind.temporary : error.number == ECANCELED ? .cancelled : .failure
    self.init(kind, "\(prefix)\(error)\(advice).")
  }

  /// Returns the result of `body`. A failed system call is thrown as a render error.
  package static func wrapping<R>(
    _ body: () throws(SystemError) -> R
  ) throws(RenderError) -> R {
    do throws(SystemError) { return try body() } catch { throw RenderError(error) }
  }

  /// Returns the result of `body`. An error is thrown as a usage error with the same text.
  package static func refusing<R, Failure: Error>(
    _ body: () throws(Failure) -> R
  ) throws(RenderError) -> R {
    do throws(Failure) { return try body() } catch { throw RenderError(.usage, "\(error)") }
  }

  /// Creates the error for work that `cancellation` stopped. `made` lists the files written before.
  package static func stopped(_ cancellation: Cancellation, made: [String] = []) -> RenderError {
    guard let why = cancellation.systemError else {
      let written: UserMessage =
        made.isEmpty
        ? "; the same command continues with what is finished"
        : ", after writing \(made.map { "\(file: $0)" as UserMessage }.joined(separator: ", "))"
      return RenderError(.cancelled, "stopped before the end\(written).")
    }
    guard !cancellation.isAbandoned else {
      return RenderError(
        .temporary,
        "the recordings are not fetched any more, because the process that did it has ended; run the "
          + "command again.")
    }
    return RenderError(
      .failure,
      "cannot open all recordings at once (\(why)); allow more open files, as with "
        + "\"ulimit -n 4096\". Nothing was written.")
  }
}

extension RenderError: MessageConvertible, CustomStringConvertible {
  public var description: String { message }
}

/// A callback between the steps of a render, which may throw to end it.
package typealias RenderStepCallback = @Sendable () throws(RenderError) -> Void
