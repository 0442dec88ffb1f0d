package import Foundation
import Subprocess
import SystemPackage
package import TesseraSystem

/// A program that does jobs in processes of its own: a decoder that crashes, or was taken over,
/// ends one of them.
package struct WorkerProgram: Hashable, Sendable {
  /// The program.
  package var program: String
  /// What it is given before what says which job.
  package var arguments: [String]

  /// Processes that run `program` with `arguments`.
  package init(program: String, arguments: [String]) {
    (self.program, self.arguments) = (program, arguments)
  }
}

/// Does jobs in processes of their own, which end when this one does.
///
/// A worker reads nothing but the end of its standard input, writes a ``WorkerMessage`` a line to
/// its standard output, and whatever libraries say to its log.
package struct ProcessRunner<Work: Job>: JobRunner {
  private let worker: WorkerProgram
  private let folder: JobFolder

  /// Has `worker` run with its arguments and the job as JSON; what it is busy with and what it says
  /// lies in `folder`.
  package init(_ worker: WorkerProgram, _ folder: JobFolder) {
    (self.worker, self.folder) = (worker, folder)
  }

  package func run(
    _ job: Work, events: @escaping @Sendable (JobEvent) -> Void
  ) async -> JobEnd {
    FileSystem.remove(folder.notePath(job))
    var options = PlatformOptions()
    options.teardownSequence = [
      .send(signal: .terminate, allowedDurationToNextStep: .milliseconds(700))
    ]
    // A signal of the terminal is for the parent alone, which stops its workers.
    options.processGroupID = 0
    let last = Monitor(RenderError?.none)
    do {
      let messages = try FileDescriptor.open(
        FilePath(folder.logPath(job)), .writeOnly, options: [.create, .truncate, .closeOnExec],
        permissions: .ownerReadWrite)
      let result = try await Subprocess.run(
        .path(FilePath(worker.program)),
        arguments: Arguments(worker.arguments + [job.json]),
        environment: .workers, platformOptions: options,
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
          "cannot run a worker (\(worker.program)): \(error). Where too many files are open, allow more, "
            + "as with \"ulimit -n 4096\"."))
    }
  }

  private func end(
    of job: Work, _ status: TerminationStatus, _ failure: RenderError?
  ) -> JobEnd {
    if Task.isCancelled { return .stopped }
    if let failure { return failure.kind == .cancelled ? .stopped : .failed(failure) }
    switch status {
    case .exited(0): return .finished
    case .exited(let code):
      return .died(Death("exit code \(code)", note: folder.notePath(job)))
    case .signaled(let signal):
      return .died(Death("signal \(signal)", note: folder.notePath(job)))
    }
  }
}

extension Environment {
  /// What workers get of the environment of this process.
  fileprivate static let workers = Environment.custom(
    Dictionary(
      uniqueKeysWithValues: WorkerEnvironment.kept(of: ProcessInfo.processInfo.environment)
        .map { (Environment.Key(stringLiteral: $0), $1) }))
}

extension Job {
  /// The job as a worker's argument.
  package var json: String {
    PlainJSON.text(self)
  }

  /// Reads a worker's argument.
  package init?(json: String) {
    guard let job = PlainJSON.value(Data(json.utf8), as: Self.self) else {
      return nil
    }
    self = job
  }
}

/// A line that a worker writes.
package enum WorkerMessage: Hashable, Sendable, Codable {
  /// What happens.
  case event(JobEvent)
  /// Why the job cannot be done.
  case failure(RenderError.Kind, String)

  /// Reads a line; nil for one that is something else.
  init?(line: String) {
    let text = line.trimmingCharacters(in: .newlines)
    guard let message = PlainJSON.value(Data(text.utf8), as: Self.self) else {
      return nil
    }
    self = message
  }

  /// The line, with its end.
  package var line: Data {
    PlainJSON.bytes(self) + Data("\n".utf8)
  }
}
