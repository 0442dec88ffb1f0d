package import TesseraSystem

/// Does tasks of one kind: what a pool's workers run.
package struct TaskPerformer<Task: WorkerTask>: Performer {
  private let folder: TaskFolder
  private let job: TaskJob
  private let tasks: [(number: Int, task: Task)]
  /// The folder of all files that are opened, and those that lie outside of it.
  private var refused: (root: String, paths: Set<String>) = ("", [])

  /// What `job` is in the folder at `path`.
  package init(
    _ job: TaskJob, of kind: Task.Type, folder path: String
  ) throws(RenderError) {
    let folder = TaskFolder(path)
    (self.folder, self.job) = (folder, job)
    tasks = job.numbers.compactMap { number in folder.task(number).map { (number, $0) } }
    guard tasks.count == job.numbers.count else {
      throw RenderError(.usage, "\(path) has no tasks for \(job).")
    }
  }

  /// The recordings that are read.
  package var files: [String] {
    tasks.flatMap(\.task.paths).filter { !refused.paths.contains($0) }
  }

  /// Leaves `paths` out, which lie outside of the folder `root` that was named for all files.
  package mutating func refuse(_ paths: [String], outside root: String) {
    refused = (root, Set(paths))
  }

  /// The file for the crash note, and how many slots that needs.
  package var note: (path: String, slots: Int) {
    (
      folder.jobs.notePath(job),
      max(job.numbers.upperBound, tasks.compactMap(\.task.suspectCount).max() ?? 0)
    )
  }

  /// The folders that are written into.
  package var targets: [String] { tasks.compactMap(\.task.target) }

  /// Loads libraries that are needed: before a sandbox in which they would not be found.
  package func loadLibraries() { for (_, task) in tasks { task.loadLibraries() } }

  /// Does all tasks, but for what is done already; returns early once it is cancelled.
  package func perform(
    _ job: TaskJob, note: CrashNote?, cancellation: Cancellation,
    events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    for (number, task) in tasks {
      if (folder.result(number) as Task.Result?) == nil {
        let refusal = task.paths.first(where: refused.paths.contains).map {
          task.refusal(of: $0, outside: refused.root)
        }
        let losses = folder.jobs.losses(of: "\(number)")
        let result =
          refusal ?? task.perform(number, note: note, without: losses, cancellation: cancellation)
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
