import ArgumentParser
import Foundation
import Glibc
import SystemPackage
import TesseraDelivery
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraRendering
import TesseraSystem

/// `tessera worker`, which `tessera render` starts (`ProcessRunner.swift`). It takes the job as
/// JSON or, for a task of a cluster, as a number in the work folder's list.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Does one job for \"tessera render\".", shouldDisplay: false)

  @Option(name: .customLong("work-dir"), help: "Work folder.")
  var workFolder: String

  @Option(help: "Folder with inputs that are being fetched.")
  var partial: String?

  @OptionGroup
  var options: WorkerOptions

  @Argument(help: "Job to do.")
  var job: String

  func run() throws {
    let folder = WorkFolder(workFolder)
    if let partial { PartialFile.expect(below: partial) }
    guard let number = Int(job) else { return try runForParent(folder) }
    let work = try WorkPlan.read(folder.planPath)
    try Worker.run(try folder.jobs.job(number), work, folder, options)
  }

  /// Runs the job and reports all events to the parent, one per line. Ends when the parent ends.
  private func runForParent(_ folder: WorkFolder) throws {
    try Worker.reporting { () throws(RenderError) in
      guard let job = RenderJob(json: job) else {
        throw RenderError(.usage, "the job \(job) is not valid.")
      }
      let work = try WorkPlan.read(folder.planPath)
      try Worker.perform(
        job, work, folder, options, afterwards: ParentPipe.endWithParent, events: Worker.report)
    }
  }
}

/// Runs a job in a worker process.
enum Worker {
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

  /// Runs `job` for the process that started this one, and reports on standard error.
  static func run(
    _ job: RenderJob, _ work: WorkPlan, _ folder: WorkFolder, _ options: WorkerOptions
  ) throws(RenderError) {
    try folder.make()
    try perform(job, work, folder, options, afterwards: {}) { event in
      guard case .finished(let number) = event else { return }
      let piece: Piece = if case .sound = job { .sound(number) } else { .segment(number) }
      Terminal.print("\(piece.description) is finished")
    }
    if job == .soundtrack { Terminal.print("the soundtrack is finished") }
  }

  /// Runs `job` with ``RenderJobHandler`` in the sandbox (`WorkerOptions`, in
  /// `PieceCommands.swift`), which is entered before a second thread starts. Calls `afterwards`
  /// once the sandbox is entered, before the job starts.
  static func perform(
    _ job: RenderJob, _ work: WorkPlan, _ folder: WorkFolder, _ options: WorkerOptions,
    afterwards: () -> Void, events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    Interrupts.install()
    let kernels = try options.cpu.kernels()
    let note: CrashNote
    do throws(SystemError) {
      note = try CrashNote.make(folder.jobs.notePath(job), slots: RenderJobHandler.noteSlots(work))
    } catch {
      throw RenderError(error, prefix: "a worker does not begin: ")
    }
    note.catchCrashes()
    try options.enterSandbox(work, folder)
    afterwards()
    let performer = RenderJobHandler(
      work, folder: folder, kernels: kernels, isStrict: options.strict)
    try performer.perform(
      job, note: note, cancellation: Interrupts.cancellation, events: events)
    if Interrupts.cancellation.isCancelled {
      throw RenderError(.cancelled, "stopped before the end of \(job).")
    }
  }
}
