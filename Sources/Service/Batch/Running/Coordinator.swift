import Foundation
import TesseraJobs
import TesseraSystem

/// A process that renders one job of a batch: `tessera perform`, whose workers have slots of the
/// batch. Whatever it meets takes down itself at most.
final class Coordinator: Sendable {
  /// What it says.
  enum Event: Sendable {
    case message(level: String, text: String)
    /// The part that is done, 0...1.
    case progress(Double)
    case ended(End)
  }

  /// How it ended.
  struct End: Sendable {
    /// What the system says.
    var process: ChildProcess.End
    /// Its own last words: nil where it died, of whatever cause, before it came to them.
    var result: CommandResult?

    /// The exit code; what it said of itself counts, whatever happened to it after that.
    var code: Int32 {
      switch process {
      case _ where result != nil: result?.exit ?? 0
      case .exit(let code): code
      case .signal(let signal): 128 + signal
      }
    }

    /// Whether the same again may succeed.
    var mayPass: Bool { result == nil || code == ExitStatus.mayPass.rawValue }

    /// Why no output was made.
    var error: String {
      switch process {
      case _ where result?.error != nil: result?.error ?? ""
      case .exit(let code): "it ended with exit code \(code) and did not say why."
      case .signal(let signal): "it was ended by signal \(signal)."
      }
    }
  }

  /// A line of its standard error: a message, its progress or its result.
  private struct Line: Decodable {
    var type: String
    var percent: Double?
  }

  private let process: ChildProcess

  /// Starts `program`, whose standard input is the socket `input`, from which it reads a request.
  ///
  /// - Parameters:
  ///   - program: the path of `tessera`.
  ///   - madeFrom: what the output is to say that it was made from.
  ///   - isListed: whether the input was found in a folder, and names no file outside of that.
  ///   - input: its end of the socket.
  ///   - tell: receives what happens, on a thread of its own.
  ///
  /// - Throws: where no process can be started.
  init(
    _ program: String, madeFrom: String?, isListed: Bool = false, input: SharedDescriptor,
    tell: @escaping @Sendable (Event) -> Void
  ) throws(RenderError) {
    var environment = ProcessInfo.processInfo.environment
    environment[Slots.variable] = "1"
    let errors: SharedDescriptor
    do throws(SystemError) {
      let pipe = try SharedDescriptor.pipe()
      process = try ChildProcess(
        program,
        ["perform", "-", "--progress=json"] + (madeFrom.map { ["--made-from=\($0)"] } ?? [])
          + (isListed ? ["--listed"] : []),
        environment: environment,
        input: input, errors: pipe.writing)
      errors = pipe.reading
    } catch {
      throw RenderError(.temporary, "\(error).")
    }
    let thread = Thread { [process] in
      let result = Self.listen(errors, tell)
      tell(.ended(End(process: process.wait(), result: result)))
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Passes on what it says until it has said all; returns its last words.
  private static func listen(
    _ errors: SharedDescriptor, _ tell: (Event) -> Void
  ) -> CommandResult? {
    var result: CommandResult?
    SlotLines.read(from: errors.number) { text in
      guard let line = PlainJSON.value(text, as: Line.self) else {
        return tell(.message(level: "note", text: String(decoding: text, as: UTF8.self)))
      }
      switch line.type {
      case "message":
        guard let said = PlainJSON.value(text, as: CommandMessage.self) else { return }
        tell(.message(level: said.level, text: said.message))
      case "progress": if let percent = line.percent { tell(.progress(percent / 100)) }
      case "result": result = PlainJSON.value(text, as: CommandResult.self)
      default: break
      }
    }
    withExtendedLifetime(errors) {}
    return result
  }

  /// Asks it to end, as Ctrl-C does, or for good.
  func send(_ signal: Int32) { process.send(signal) }
}
