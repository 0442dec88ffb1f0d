import ArgumentParser
import Foundation
import Glibc
import TesseraCodecs
import TesseraJobs
import TesseraMessages
import TesseraPlanning
import TesseraRendering
import TesseraSystem
import TesseraVerify

/// `tessera read`, which planning starts to read recordings. It takes the folder of tasks and the
/// job as JSON.
struct ReadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", abstract: "Reads recordings for a plan.", shouldDisplay: false)

  @Option(help: "The only folder in which files are opened.")
  var root: String?

  @Argument(help: "Kind of the tasks.")
  var kind: String

  @Argument(help: "Folder with the tasks.")
  var folder: String

  @Argument(help: "Job to do.")
  var job: String

  func run() throws {
    Interrupts.install()
    try Worker.reporting { () throws(RenderError) in
      guard let job = TaskJob(json: job) else {
        throw RenderError(.usage, "the job \(job) is not valid.")
      }
      switch kind {
      case ReadingTask.name: try perform(job, of: ReadingTask.self)
      case StillDrawing.name: try perform(job, of: StillDrawing.self)
      case VerifyTask.name: try perform(job, of: VerifyTask.self)
      default: throw RenderError(.usage, "there are no tasks of the kind \(kind).")
      }
    }
  }

  private func perform<Task: WorkerTask>(
    _ job: TaskJob, of type: Task.Type
  ) throws(RenderError) {
    var performer = try TaskHandler(job, of: type, folder: folder)
    if let root {
      performer.refuse(try RootedFiles.open(root).outside(performer.files), outside: root)
    }
    try performer.perform(
      job, note: try enterSandbox(performer), cancellation: Interrupts.cancellation,
      events: Worker.report)
  }

  /// Enters a sandbox for reading, before a second thread starts.
  private func enterSandbox(
    _ performer: TaskHandler<some WorkerTask>
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
