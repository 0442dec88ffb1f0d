package import Foundation
import Glibc
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
    do throws(SystemError) {
      return await wait(for: try start(job), job, events)
    } catch {
      return .failed(
        RenderError(
          .failure,
          "cannot run a worker (\(worker.program)): \(error). Where too many files are open, allow "
            + "more, as with \"ulimit -n 4096\"."))
    }
  }

  /// A worker with the ends of the pipes to it that this process keeps.
  private struct Running: Sendable {
    let process: ChildProcess
    /// Never written to: the worker ends when this process does, which closes it.
    let input: SharedDescriptor
    let output: SharedDescriptor
  }

  private func start(_ job: Work) throws(SystemError) -> Running {
    let log = try OwnedDescriptor(
      opening: folder.logPath(job), O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
    let (input, output) = (try SharedDescriptor.pipe(), try SharedDescriptor.pipe())
    let process = try ChildProcess.worker(
      worker.program, worker.arguments + [job.json], input: input.reading, output: output.writing,
      errors: SharedDescriptor(log))
    return Running(process: process, input: input.writing, output: output.reading)
  }

  /// The time in which a worker that is asked to stop has to end by itself.
  private static var grace: Double { 0.7 }

  private func wait(
    for running: Running, _ job: Work, _ events: @escaping @Sendable (JobEvent) -> Void
  ) async -> JobEnd {
    let (end, failure): (ChildProcess.End, RenderError?) = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let thread = Thread {
          var failure: RenderError?
          SlotLines.read(from: running.output.number) { line in
            switch WorkerMessage(line: line) {
            case .event(let event): events(event)
            case .failure(let kind, let message): failure = RenderError(kind, message)
            case nil: break
            }
          }
          let end = running.process.wait()
          withExtendedLifetime(running) {}
          continuation.resume(returning: (end, failure))
        }
        thread.stackSize = 1 << 20
        thread.start()
      }
    } onCancel: {
      running.process.send(SIGTERM)
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) {
        running.process.send(SIGKILL)
      }
    }
    if Task.isCancelled { return .stopped }
    if let failure { return failure.kind == .cancelled ? .stopped : .failed(failure) }
    switch end {
    case .exit(0): return .finished
    case .exit(let code):
      return .died(Death("exit code \(code)", note: folder.notePath(job)))
    case .signal(let signal):
      return .died(Death("signal \(signal)", note: folder.notePath(job)))
    }
  }
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
  case failure(RenderError.Kind, Message)

  /// Reads a line without its end; `nil` if it is anything else.
  init?(line: Data) {
    guard let message = PlainJSON.value(line, as: Self.self) else { return nil }
    self = message
  }

  /// The line, with its end.
  package var line: Data {
    PlainJSON.bytes(self) + Data("\n".utf8)
  }
}
