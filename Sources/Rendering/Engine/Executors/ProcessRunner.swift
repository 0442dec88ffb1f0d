public import Foundation
import Subprocess
import SystemPackage
import TesseraSystem

/// Does jobs in processes of their own, which end when this one does.
///
/// A worker reads nothing but the end of its standard input, writes a ``WorkerMessage`` a line to
/// its standard output, and whatever libraries say to its log.
struct ProcessRunner: JobRunner {
  /// The program.
  let program: String
  /// What it is given to do a job, and where its crash note is.
  let arguments: @Sendable (RenderJob) -> [String]
  /// The file that a job's crash note is in.
  let note: @Sendable (RenderJob) -> String
  /// The file that gets what the worker says on standard error.
  let log: @Sendable (RenderJob) -> String

  /// What workers get of the environment of this process.
  private static let environment = Environment.custom(
    Dictionary(
      uniqueKeysWithValues: WorkerEnvironment.kept(of: ProcessInfo.processInfo.environment)
        .map { (Environment.Key(stringLiteral: $0), $1) }))

  func run(_ job: RenderJob, events: @escaping @Sendable (JobEvent) -> Void) async -> JobEnd {
    FileSystem.remove(note(job))
    var options = PlatformOptions()
    options.teardownSequence = [
      .send(signal: .terminate, allowedDurationToNextStep: .milliseconds(700))
    ]
    // A signal of the terminal is for the parent alone, which stops its workers.
    options.processGroupID = 0
    let last = Monitor(RenderError?.none)
    do {
      let messages = try SystemPackage.FileDescriptor.open(
        FilePath(log(job)), .writeOnly, options: [.create, .truncate, .closeOnExec],
        permissions: .ownerReadWrite)
      let result = try await Subprocess.run(
        .path(FilePath(program)), arguments: Arguments(arguments(job)),
        environment: Self.environment, platformOptions: options,
        input: .inputWriter, output: .sequence,
        error: .fileDescriptor(messages, closeAfterSpawningProcess: true)
      ) { execution in
        for try await line in execution.standardOutput.strings() {
          switch WorkerMessage(line: line) {
          case .event(let event): events(event)
          case .failure(let kind, let message):
            last.withLock { $0 = RenderError(kind, message) }
          case nil: break
          }
        }
      }
      return end(of: job, result.terminationStatus, last.withLock { $0 })
    } catch {
      if Task.isCancelled { return .stopped }
      return .failed(
        RenderError(
          .failure,
          "cannot run a worker (\(program)): \(error). Where too many files are open, allow more, "
            + "as with \"ulimit -n 4096\"."))
    }
  }

  private func end(
    of job: RenderJob, _ status: TerminationStatus, _ failure: RenderError?
  ) -> JobEnd {
    if Task.isCancelled { return .stopped }
    if let failure { return failure.kind == .cancelled ? .stopped : .failed(failure) }
    switch status {
    case .exited(0): return .finished
    case .exited(let code):
      return .died(Death(manner: "exit code \(code)", blame: CrashNote.blame(at: note(job))))
    case .signaled(let signal):
      return .died(Death(manner: "signal \(signal)", blame: CrashNote.blame(at: note(job))))
    }
  }
}

/// A line that a worker writes.
public enum WorkerMessage: Hashable, Sendable, Codable {
  /// What happens.
  case event(JobEvent)
  /// Why the job cannot be done.
  case failure(RenderError.Kind, String)

  /// Reads a line; nil for one that is something else.
  init?(line: String) {
    let text = line.trimmingCharacters(in: .newlines)
    guard let message = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      return nil
    }
    self = message
  }

  /// The line, with its end.
  public var line: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return ((try? encoder.encode(self)) ?? Data()) + Data("\n".utf8)
  }
}
