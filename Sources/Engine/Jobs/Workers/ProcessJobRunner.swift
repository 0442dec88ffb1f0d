package import Foundation
import Glibc
package import TesseraMessages
package import TesseraSystem

/// Runs each job in a process of its own, which ends when this process does.
///
/// If the program is this one, the worker is forked by ``ForkServer`` and continues in
/// `Program.main` with its arguments: `worker`, the ``WorkerSetup`` and the job.
///
/// A worker receives nothing on standard input but its end. It writes one ``WorkerMessage`` per
/// line to standard output. Messages of libraries on standard error go to a log file.
package struct ProcessJobRunner<Work: Job>: JobRunner {
  private let worker: WorkerProgram
  private let folder: JobRecordFolder

  /// Creates a runner that starts `worker` with each job as JSON. Crash notes and logs are stored
  /// in `folder`.
  package init(_ worker: WorkerProgram, _ folder: JobRecordFolder) {
    (self.worker, self.folder) = (worker, folder)
  }

  package func complete(
    _ job: Work, events: @escaping @Sendable (JobEvent) -> Void
  ) async -> JobOutcome {
    FileOperations.remove(folder.notePath(job))
    let running: RunningWorker
    do throws(SystemError) {
      let log = try OwnedFileDescriptor(
        opening: folder.logPath(job), O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
      let (input, output) = (try SharedFileDescriptor.pipe(), try SharedFileDescriptor.pipe())
      let process = try ForkServer.worker(
        worker.path, worker.arguments + [job.json], input: input.reading, output: output.writing,
        errors: SharedFileDescriptor(log))
      running = RunningWorker(process: process, input: input.writing, output: output.reading)
    } catch {
      return .failed(
        RenderError(
          .failure,
          "cannot run a worker (\(file: worker.path)): \(error). Where too many files are open, allow "
            + "more, as with \"ulimit -n 4096\"."))
    }
    return await wait(for: running, job, events)
  }

  /// A running worker, and this process's ends of its pipes.
  private struct RunningWorker: Sendable {
    let process: ChildProcess
    /// Nothing is written to it. When this process ends, the pipe closes and the worker ends, too.
    let input: SharedFileDescriptor
    let output: SharedFileDescriptor
  }

  /// Seconds between SIGTERM and SIGKILL for a worker that is canceled.
  private static var grace: Double { 0.7 }

  private func wait(
    for running: RunningWorker, _ job: Work, _ events: @escaping @Sendable (JobEvent) -> Void
  ) async -> JobOutcome {
    let (end, failure): (ChildProcess.Termination, RenderError?) = await withTaskCancellationHandler
    {
      await withCheckedContinuation { continuation in
        _ = ThreadGroup(count: 1, name: "worker") {
          var failure: RenderError?
          JSONLineChannel.read(from: running.output.number) { line in
            switch CanonicalJSON.value(line, as: WorkerMessage.self) {
            case .event(let event): events(event)
            case .failure(let kind, let message): failure = RenderError(kind, message)
            case nil: break
            }
          }
          let end = running.process.wait()
          withExtendedLifetime(running) {}
          continuation.resume(returning: (end, failure))
        }
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
      return .died(WorkerDeath("exit code \(code)", note: folder.notePath(job)))
    case .signal(let signal):
      return .died(WorkerDeath("signal \(signal)", note: folder.notePath(job)))
    }
  }
}

extension Job {
  /// The job as JSON, for a worker's argument.
  package var json: String {
    CanonicalJSON.text(self)
  }

  /// Parses a job from a worker's argument.
  package init(json: String) throws(RenderError) {
    guard let job: Self = CanonicalJSON.value(Data(json.utf8)) else {
      throw RenderError(.usage, "the job \(json) is not valid.")
    }
    self = job
  }
}

/// A message of a worker: one line of JSON on its standard output.
package enum WorkerMessage: Hashable, Sendable, Codable {
  /// A report on the running job.
  case event(JobEvent)
  /// The job cannot be done: the kind of error and its message.
  case failure(RenderError.Kind, UserMessage)

  /// The message as JSON with a newline.
  package var line: Data {
    CanonicalJSON.bytes(self, by: CanonicalJSON.internalEncoder) + Data("\n".utf8)
  }
}
