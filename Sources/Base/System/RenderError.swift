import Glibc

/// Why a render cannot begin or go on, in one sentence that names the file and says what to do.
public struct RenderError: Error, Hashable, Sendable {
  /// The side that has to act.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// The request contradicts itself or asks for what there is not.
    case usage
    /// An input, an encoder or the output failed.
    case failure
    /// Something failed that may pass: there was no room or no memory, another render was in the
    /// way. The same again may succeed.
    case temporary
    /// Somebody asked to stop.
    case cancelled
  }

  /// The side that has to act.
  public let kind: Kind
  /// The sentence, with options as values.
  package let sentence: Message
  /// The sentence. It names options as members of requests: `"from"`.
  public var message: String { sentence.description.withPlainOptions }
  /// The sentence for the command line, which has `--from`.
  package var commandLine: String { sentence.commandLine }

  /// The error that says `message`.
  public init(_ kind: Kind, _ message: String) { self.init(kind, Message(message)) }

  /// The error that says `sentence`.
  package init(_ kind: Kind, _ sentence: Message) { (self.kind, self.sentence) = (kind, sentence) }

  /// What the system refused, after `prefix`, and what to do where there is no room.
  package init(_ error: SystemError, prefix: String = "") {
    let advice = error.isOutOfSpace ? "; make room there, or name another folder" : ""
    let kind = error.mayPass ? Kind.temporary : error.number == ECANCELED ? .cancelled : .failure
    self.init(kind, "\(prefix)\(error)\(advice).")
  }

  /// Why work that was given this token ended before its end, with what it had `made` by then.
  package static func stopped(_ cancellation: Cancellation, made: [String] = []) -> RenderError {
    guard let why = cancellation.systemError else {
      let written =
        made.isEmpty ? "; nothing was written" : ", after writing \(made.joined(separator: ", "))"
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

extension RenderError: CustomStringConvertible {
  public var description: String { message }
}

extension String {
  /// The text with options as programs know them, `"from"`, where the command line has `--from`.
  package var withPlainOptions: String {
    replacing(#/(^|[\s(])--([a-z][a-z\-]*)/#) { "\($0.output.1)\"\($0.output.2)\"" }
  }
}

/// What somebody else does in between, and may fail.
package typealias RenderStep = @Sendable () throws(RenderError) -> Void
