import TesseraMessages
package import TesseraSystem

/// Executes the tasks of a job: the code that the workers of a ``TaskWorkerPool`` run.
package struct TaskHandler<Task: WorkerTask> {
  private let folder: TaskExchangeFolder
  private let job: TaskJob
  private let tasks: [(number: Int, task: Task)]
  /// The folder that contains all permitted files, and the paths outside of it.
  private var refused: (root: String, paths: Set<String>) = ("", [])

  /// Reads the tasks of `job`.
  package init(_ job: TaskJob, of kind: Task.Type) throws(RenderError) {
    let folder = TaskExchangeFolder(job.folder)
    (self.folder, self.job) = (folder, job)
    tasks = job.numbers.compactMap { number in folder.task(number).map { (number, $0) } }
    guard tasks.count == job.numbers.count else {
      throw RenderError(.usage, "\(file: job.folder) has no tasks for \(job).")
    }
  }

  /// The recordings that the tasks read.
  package var files: [String] {
    tasks.flatMap(\.task.paths).filter { !refused.paths.contains($0) }
  }

  /// Refuses `paths`, which are outside of the folder `root` that all files must be in.
  package mutating func refuse(_ paths: [String], outside root: String) {
    refused = (root, Set(paths))
  }

  /// The path of the crash note, and the number of slots that it needs.
  package var note: (path: String, slots: Int) {
    (
      folder.jobs.notePath(job),
      max(job.numbers.upperBound, tasks.compactMap(\.task.suspectCount).max() ?? 0)
    )
  }

  /// The folders that the tasks write to.
  package var targets: [String] { tasks.compactMap(\.task.target) }

  /// Loads the libraries that the tasks need. Must run before the process enters a sandbox that
  /// hides them.
  package func loadLibraries() { for (_, task) in tasks { task.loadLibraries() } }

  /// Executes all tasks that have no result yet, and stores their results in the folder. Returns
  /// early if it is canceled.
  package func storeResults(
    note: CrashNote, cancellation: Cancellation, events: (JobEvent) -> Void
  ) throws(RenderError) {
    for (number, task) in tasks {
      if (folder.result(number) as Task.Result?) == nil {
        let refusal = task.paths.first(where: refused.paths.contains).map {
          task.refusal(of: $0, outside: refused.root)
        }
        let losses = folder.jobs.losses(of: "\(number)")
        let result =
          refusal ?? task.result(number, note: note, without: losses, cancellation: cancellation)
        guard let result, !cancellation.isCancelled else { return }
        do {
          try folder.put(result: result, number)
        } catch {
          throw .noFolder(error)
        }
      }
      events(.finished(part: number))
    }
  }
}
