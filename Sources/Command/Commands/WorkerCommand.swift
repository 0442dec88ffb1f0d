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

/// `tessera worker SETUP [JOB]`, the command with which this program starts itself.
///
/// The argument parser does not see it: workers start often, and the parser looks at the options
/// of all commands. Joining and a batch's jobs have their code beside the commands for users.
struct WorkerCommand {
  private let setup: WorkerSetup
  /// The job; empty if the setup has none.
  private let job: String

  /// Reads the setup and the job from the `words` after the command's name.
  init(_ words: ArraySlice<String>) throws(RenderError) {
    guard let setup: WorkerSetup = words.first.flatMap({ CanonicalJSON.value(Data($0.utf8)) })
    else {
      throw RenderError(.usage, "a worker was started without a valid setup.")
    }
    (self.setup, job) = (setup, words.dropFirst().first ?? "")
    if case .batch = setup { StandardError.writesJSON() }
  }

  func doJob() throws {
    switch setup {
    case .render(let worker): try worker.takeJob(job)
    case .read(let roots): try doTasks(roots)
    case .stitch(let plan, let folder, let output, let report):
      try RenderPieceJoiner(plan: plan, folder: WorkFolder(folder), output: output, report: report)
        .run()
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

// MARK: Reading

extension WorkerCommand {
  /// Executes the tasks of the job, and reports all events to the parent.
  private func doTasks(_ roots: [String]) throws {
    InterruptHandler.install()
    try Self.reporting { () throws(RenderError) in
      let job = try TaskJob(json: job)
      switch job.kind {
      case RecordingReadTask.name: try doInSandbox(job, RecordingReadTask.self, roots)
      case StillTask.name: try doInSandbox(job, StillTask.self, roots)
      case VerifyTask.name: try doInSandbox(job, VerifyTask.self, roots)
      default: throw RenderError(.usage, "there are no tasks of the kind \(job.kind).")
      }
    }
  }

  private func doInSandbox<Task: WorkerTask>(
    _ job: TaskJob, _ type: Task.Type, _ roots: [String]
  ) throws(RenderError) {
    var handler = try TaskHandler(job, of: type)
    if let root = roots.first {
      handler.refuse(try ConfinedFolder.outside(roots, handler.files), outside: root)
    }
    let sandbox = Sandbox(
      readable: handler.files.flatMap(SegmentedFile.files) + [job.folder],
      writable: [job.folder] + handler.targets, memory: 4 << 30)
    let note = try CrashNote.enteringSandbox(
      sandbox, note: handler.note.path, slots: handler.note.slots, loading: handler.loadLibraries)
    ParentProcessWatchdog.endWithParent()
    try handler.storeResults(
      note: note, cancellation: InterruptHandler.cancellation, events: Self.report)
  }
}

extension CrashNote {
  /// Enters `sandbox` before a second thread starts, and returns the note of the process at `path`,
  /// in which crashes are recorded from now on. `loadLibraries` loads what the sandbox hides.
  static func enteringSandbox(
    _ sandbox: Sandbox, note path: String, slots: Int, loading loadLibraries: () -> Void
  ) throws(RenderError) -> CrashNote {
    do throws(SystemError) {
      let note = try CrashNote.make(path, slots: slots)
      note.catchCrashes()
      loadLibraries()
      try sandbox.enter()
      return note
    } catch {
      throw RenderError(error, prefix: "a worker does not begin: ")
    }
  }
}

extension ConfinedFolder {
  /// Returns access to the folder of `--root`.
  ///
  /// - Throws: ``RenderError`` if the folder cannot be opened.
  private static func open(_ root: String) throws(RenderError) -> ConfinedFolder {
    do throws(SystemError) {
      return try ConfinedFolder(root)
    } catch {
      throw RenderError(
        .usage, "\(option: "root") \(file: root) is not a folder to read: \(error.reason).")
    }
  }

  /// Returns the `paths` that are outside of all folders `roots`; none if there are no folders.
  static func outside(
    _ roots: [String], _ paths: [String]
  ) throws(RenderError) -> [String] {
    guard !roots.isEmpty else { return [] }
    var folders: [ConfinedFolder] = []
    for root in roots { folders.append(try open(root)) }
    return paths.filter { path in
      SegmentedFile.files(of: path).contains { file in
        folders.allSatisfy { $0.isOutside(file) }
      }
    }
  }
}
