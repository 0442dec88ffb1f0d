import TesseraCodecs
import TesseraJobs
import TesseraPlanning
import TesseraRendering
import TesseraSystem
import TesseraVerify

extension WorkerCommand {
  /// Executes the tasks of the job, and reports all events to the parent.
  func doTasks(root: String?) throws {
    Interrupts.install()
    try Self.reporting { () throws(RenderError) in
      guard let job = TaskJob(json: job) else {
        throw RenderError(.usage, "the job \(job) is not valid.")
      }
      switch job.kind {
      case ReadingTask.name: try doTasks(of: job, ReadingTask.self, root)
      case StillDrawing.name: try doTasks(of: job, StillDrawing.self, root)
      case VerifyTask.name: try doTasks(of: job, VerifyTask.self, root)
      default: throw RenderError(.usage, "there are no tasks of the kind \(job.kind).")
      }
    }
  }

  private func doTasks<Task: WorkerTask>(
    of job: TaskJob, _ type: Task.Type, _ root: String?
  ) throws(RenderError) {
    var performer = try TaskHandler(job, of: type)
    if let root {
      performer.refuse(try RootedFiles.open(root).outside(performer.files), outside: root)
    }
    try performer.perform(
      job, note: try enterSandbox(performer, job.folder), cancellation: Interrupts.cancellation,
      events: Self.report)
  }

  /// Enters a sandbox for reading, before a second thread starts.
  private func enterSandbox(
    _ performer: TaskHandler<some WorkerTask>, _ folder: String
  ) throws(RenderError) -> CrashNote {
    do throws(SystemError) {
      let note = try CrashNote.make(performer.note.path, slots: performer.note.slots)
      note.catchCrashes()
      performer.loadLibraries()
      try Sandbox(
        readable: performer.files.flatMap(SegmentedFile.files) + [folder],
        writable: [folder] + performer.targets,
        memory: 4 << 30
      ).enter()
      ParentPipe.endWithParent()
      return note
    } catch {
      throw RenderError(error, prefix: "a worker does not begin: ")
    }
  }
}
