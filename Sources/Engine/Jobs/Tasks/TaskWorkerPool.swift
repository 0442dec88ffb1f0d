import Foundation
package import TesseraSystem
import TesseraTimeline

/// The progress of a list of tasks.
package struct TaskProgress: Hashable, Sendable {
  /// The name of the work: a `PlanningProgress.Phase` while planning.
  package let phase: String
  /// Number of finished tasks.
  package let done: Int
  /// Number of tasks; at least 1.
  package let count: Int
}

/// Workers for tasks: processes, or threads of this process.
package struct TaskWorkerPool: Sendable {
  private let program: WorkerProgram?
  package let cancellation: Cancellation
  /// Receives progress. May be called on any thread.
  private let progress: (@Sendable (TaskProgress) -> Void)?

  /// Creates a pool of processes that run `program`, or of threads if `program` is nil.
  package init(
    _ program: WorkerProgram? = nil, cancellation: Cancellation,
    progress: (@Sendable (TaskProgress) -> Void)? = nil
  ) {
    (self.program, self.cancellation, self.progress) = (program, cancellation, progress)
  }

  /// Executes all `tasks`, several at a time, and returns their results in order. A result is nil
  /// if its task was canceled.
  ///
  /// A process (``WorkerSetup/read(root:)``) finds its tasks in a ``TaskExchangeFolder``, executes
  /// them with ``TaskHandler`` and stores the results there.
  ///
  /// - Throws: ``RenderError`` if a worker died twice and no file could be blamed, or if no worker
  ///   can be started.
  package func results<Task: WorkerTask>(
    of tasks: [Task]
  ) throws(RenderError) -> [Task.Result?] {
    guard let first = tasks.first else { return [] }
    let done = ConditionLock(0)
    let report = { @Sendable [progress, phase = first.phase] (more: Int) in
      let count = done.withLock { number in
        number = min(number + more, tasks.count)
        return number
      }
      progress?(TaskProgress(phase: phase, done: count, count: tasks.count))
    }
    report(0)
    guard let program else {
      return ThreadGroup.map(tasks, name: "reading", cancellation: cancellation) { task in
        defer { report(1) }
        return task.result(0, note: nil, without: [], cancellation: cancellation)
      }
    }
    try OpenFileCheck.require()
    do {
      // The folder is removed at the end.
      let scratch = try ScratchFolder()
      return try withExtendedLifetime(scratch) {
        let folder = try TaskExchangeFolder.make(in: scratch.path)
        for (number, task) in tasks.enumerated() { try folder.put(task, number) }
        let (jobs, slots) = Self.jobs(tasks, folder)
        let executor = LocalExecutor(
          slots: slots, runner: ProcessJobRunner<TaskJob>(program, folder.jobs),
          describe: { job in
            "reading \(tasks[job.numbers.lowerBound].paths.first ?? "a recording")"
          })
        let outcome = executor.launch(
          jobs, cancellation: cancellation,
          events: { _, event in if case .finished = event { report(1) } },
          lost: { job, loss throws(RenderError) in
            try folder.jobs.record(loss, of: "\(job.numbers.lowerBound)")
          })
        try ProcessorSlotClient.lending(cancellation) { outcome.wait { $0 } }.get()
        return tasks.indices.map { folder.result($0) }
      }
    } catch let error as RenderError {
      throw error
    } catch {
      throw .noFolder(error)
    }
  }

  /// The cost of starting a process, in bytes that are read in that time.
  private static let startCost = 6e6

  /// Divides `tasks` into jobs. Returns them with the number of workers.
  private static func jobs<Task: WorkerTask>(
    _ tasks: [Task], _ folder: TaskExchangeFolder
  ) -> (jobs: [TaskJob], workers: Int) {
    let costs = tasks.map { SegmentRunPlanner.Cost(work: $0.work, preroll: startCost) }
    // Start no process for work that the first one finishes before another has started.
    let most = costs.reduce(0) { $0 + $1.work } / startCost
    let slots = max(1, min(MachineResources.cores, tasks.count, Int(saturating: min(most, 1e6))))
    let runs = SegmentRunPlanner.choose(Array(tasks.indices), costs: costs, workers: slots)
    let path = folder.jobs.path
    return (runs.map { TaskJob(kind: Task.name, folder: path, numbers: $0) }, slots)
  }
}
