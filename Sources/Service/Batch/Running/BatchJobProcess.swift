import Foundation
import TesseraJobs
import TesseraMessages
import TesseraSystem

/// A child process that renders one job of a batch (``WorkerSetup/batch(madeFrom:isListed:)``). Its
/// workers take slots of the batch. A crash affects only this job.
final class BatchJobProcess: Sendable {
  /// An event that the child process reports.
  enum Event: Sendable {
    case message(level: String, text: String)
    /// The completed fraction of the job, `0...1`.
    case progress(Double)
    case ended(Outcome)
  }

  /// The end of the child process.
  struct Outcome: Sendable {
    /// The exit status as the operating system reports it.
    var process: ChildProcess.Termination
    /// The child's reported result; `nil` if the child died before it reported one.
    var result: CommandResult?

    /// The exit code. A reported result takes precedence over the process's exit status.
    var code: Int32 {
      switch process {
      case _ where result != nil: result?.exit ?? 0
      case .exit(let code): code
      case .signal(let signal): 128 + signal
      }
    }

    /// True if a retry may succeed: the child died without a result, or reported a temporary
    /// failure.
    var isTransient: Bool { result == nil || code == ExitStatus.temporaryFailure.rawValue }

    /// The error message of a failed job.
    var error: String {
      switch process {
      case _ where result?.error != nil: result?.error ?? ""
      case .exit(let code): "it ended with exit code \(code) and without a message."
      case .signal(let signal): "it was ended by signal \(signal)."
      }
    }
  }

  /// The type of a JSON line on the child's standard error: message, progress or result.
  private struct OutputLine: Decodable {
    var type: String
    var percent: Double?
  }

  private let process: ChildProcess

  /// Starts `worker`, whose standard input is the socket `input`. The child reads its request from
  /// that socket.
  ///
  /// - Parameters:
  ///   - worker: The program and its setup.
  ///   - input: The child's end of the socket.
  ///   - report: Receives events, on a dedicated thread.
  ///
  /// - Throws: ``RenderError`` if the process cannot be started.
  init(
    _ worker: WorkerProgram, input: SharedFileDescriptor,
    report: @escaping @Sendable (Event) -> Void
  ) throws(RenderError) {
    var environment = ProcessInfo.processInfo.environment
    environment[ProcessorSlotClient.variable] = "1"
    let errors: SharedFileDescriptor
    do throws(SystemError) {
      let pipe = try SharedFileDescriptor.pipe()
      process = try ChildProcess(
        worker.path, worker.arguments, environment: environment, input: input,
        errors: pipe.writing)
      errors = pipe.reading
    } catch {
      throw RenderError(.temporary, "\(error).")
    }
    _ = ThreadGroup(count: 1, name: "job") { [process] in
      let result = Self.listen(errors, report)
      report(.ended(Outcome(process: process.wait(), result: result)))
    }
  }

  /// Forwards the child's messages and progress until its pipe closes, and returns its result.
  private static func listen(
    _ errors: SharedFileDescriptor, _ report: (Event) -> Void
  ) -> CommandResult? {
    var result: CommandResult?
    JSONLineChannel.read(from: errors.number) { text in
      guard let line = CanonicalJSON.value(text, as: OutputLine.self) else {
        return report(.message(level: "note", text: String(decoding: text, as: UTF8.self)))
      }
      switch line.type {
      case "message":
        guard let said = CanonicalJSON.value(text, as: CommandMessage.self) else { return }
        report(.message(level: said.level, text: said.message))
      case "progress": if let percent = line.percent { report(.progress(percent / 100)) }
      case "result": result = CanonicalJSON.value(text, as: CommandResult.self)
      default: break
      }
    }
    withExtendedLifetime(errors) {}
    return result
  }

  /// Sends a signal to the child: `SIGINT` and `SIGTERM` ask it to stop, `SIGKILL` ends it at once.
  func send(_ signal: Int32) { process.send(signal) }
}
