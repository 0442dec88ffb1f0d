import Foundation
import Glibc
import SystemPackage
import TesseraJobs
import TesseraRendering
import TesseraSystem

/// `tessera worker SETUP [JOB]`, the command with which this program starts itself.
///
/// The argument parser does not see it: workers start often, and the parser looks at the options
/// of all commands. Each kind of ``WorkerSetup`` has its code beside this file, or beside the
/// command for users that does the same.
struct WorkerCommand {
  private let setup: WorkerSetup
  /// The job; empty if the setup has none.
  let job: String

  /// Reads the setup and the job from the `words` after the command's name.
  init(_ words: ArraySlice<String>) throws(RenderError) {
    guard let setup: WorkerSetup = words.first.flatMap({ PlainJSON.value(Data($0.utf8)) }) else {
      throw RenderError(.usage, "a worker was started without a valid setup.")
    }
    (self.setup, job) = (setup, words.dropFirst().first ?? "")
    if case .batch = setup { Terminal.writesJSON() }
  }

  func run() throws {
    switch setup {
    case .render(let worker): try worker.makePieces(of: job)
    case .read(let root): try doTasks(root: root)
    case .stitch(let plan, let folder, let output, let report):
      try PieceJoin(plan: plan, folder: WorkFolder(folder), output: output, report: report).run()
    case .batch(let madeFrom, let isListed):
      try PerformCommand.renderJob(madeFrom: madeFrom, isListed: isListed)
    }
  }

  /// Reports `event` to the parent on standard output.
  static func report(_ event: JobEvent) {
    _ = FileDescriptor.write(WorkerMessage.event(event).line, to: STDOUT_FILENO)
  }

  /// Runs `body` and reports its error to the parent.
  static func reporting(_ body: () throws(RenderError) -> Void) throws(ExitStatus) {
    do throws(RenderError) {
      try body()
    } catch {
      let message = WorkerMessage.failure(error.kind, error.sentence)
      _ = FileDescriptor.write(message.line, to: STDOUT_FILENO)
      throw ExitStatus.failed
    }
  }
}
