import Foundation
import Glibc
import SystemPackage
import TesseraCodecs
import TesseraDelivery
import TesseraJobs
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraSystem
import TesseraVerify

extension RenderWorker {
  private var folder: WorkFolder { WorkFolder(workFolder) }

  /// Makes the pieces of a job. For JSON, reports all events to the parent, one per line, and ends
  /// when the parent ends. For a task of a cluster, `job` is a number in the work folder's list.
  func takeJob(_ job: String) throws {
    if let partial { PartialFile.expect(below: partial) }
    if let number = Int(job) {
      let work = try WorkPlan.read(folder.planPath)
      return try printPieces(of: try folder.jobs.job(number), work)
    }
    try WorkerCommand.reporting { () throws(RenderError) in
      try makeInSandbox(
        try RenderJob(json: job), try WorkPlan.read(folder.planPath),
        afterwards: ParentProcessWatchdog.endWithParent,
        events: WorkerCommand.report)
    }
  }

  /// Makes the pieces of `job` for the user or a cluster, and reports them on standard error.
  func printPieces(of job: RenderJob, _ work: WorkPlan) throws(RenderError) {
    try folder.make()
    try makeInSandbox(job, work, afterwards: {}) { event in
      guard case .finished(let number) = event else { return }
      let piece: RenderPiece = if case .sound = job { .sound(number) } else { .segment(number) }
      StandardError.print("\(piece.description) is finished")
    }
    if job == .soundtrack { StandardError.print("the soundtrack is finished") }
  }

  /// Executes `job` with ``RenderJobHandler`` in the sandbox, which is entered before a second
  /// thread starts. Calls `afterwards` once the sandbox is entered, before the job starts.
  private func makeInSandbox(
    _ job: RenderJob, _ work: WorkPlan, afterwards: () -> Void,
    events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    InterruptHandler.install()
    let kernels = try PixelKernels(named: kernels)
    let sources = work.sources.flatMap(SegmentedFile.files)
    if let path = try ConfinedFolder.outside(roots, sources).first {
      throw RenderError(.failure, "\(MediaError(path: path, reason: .outside(roots[0])))")
    }
    let note = try CrashNote.enteringSandbox(
      Sandbox(readable: sources + [folder.path], writable: [folder.path], memory: work.memoryLimit),
      note: folder.jobs.notePath(job), slots: CrashNoteSlots(work).count
    ) { for rendition in work.renditions { rendition.plan.loadLibraries() } }
    afterwards()
    try RenderJobHandler(work, folder: folder, kernels: kernels, isStrict: isStrict)
      .perform(job, note: note, cancellation: InterruptHandler.cancellation, events: events)
    if InterruptHandler.cancellation.isCancelled {
      throw RenderError(.cancelled, "stopped before the end of \(job).")
    }
  }
}
