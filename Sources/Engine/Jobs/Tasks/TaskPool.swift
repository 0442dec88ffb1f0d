import Foundation
package import TesseraSystem
import TesseraTimeline

/// How many of some tasks are done.
package struct TaskProgress: Hashable, Sendable {
  /// What is being done.
  package let phase: String
  /// How many of them are done.
  package let done: Int
  /// How many there are; at least one.
  package let count: Int
}

/// Those who do tasks: processes, or else threads of this one.
package struct TaskPool: Sendable {
  private let program: WorkerProgram?
  package let cancellation: Cancellation
  /// Is told what is done, on any thread.
  private let progress: (@Sendable (TaskProgress) -> Void)?

  /// Threads of this process, or processes that run `program`, to whose arguments the kind of
  /// tasks, the folder and the job are added.
  package init(
    _ program: WorkerProgram? = nil, cancellation: Cancellation,
    progress: (@Sendable (TaskProgress) -> Void)? = nil
  ) {
    (self.program, self.cancellation, self.progress) = (program, cancellation, progress)
  }

  /// What comes of all `tasks`, in their order, several at a time; nil for what was not done
  /// because somebody asked to stop.
  ///
  /// - Throws: where a worker died without anything to blame, or none can be started.
  package func perform<Task: WorkerTask>(
    _ tasks: [Task]
  ) throws(RenderError) -> [Task.Result?] {
    guard let first = tasks.first else { return [] }
    let done = Monitor(0)
    let tell = { @Sendable [progress, phase = first.phase] (more: Int) in
      let count = done.withLock { number in
        number = min(number + more, tasks.count)
        return number
      }
      progress?(TaskProgress(phase: phase, done: count, count: tasks.count))
    }
    tell(0)
    guard let program else {
      return WorkerThreads.map(tasks, name: "reading", cancellation: cancellation) { task in
        defer { tell(1) }
        return task.perform(0, note: nil, without: [], cancellation: cancellation)
      }
    }
    try OpenFiles.require()
    do {
      // It goes at the end.
      let scratch = try ScratchFolder()
      return try withExtendedLifetime(scratch) {
        let folder = try TaskFolder.make(in: scratch.path)
        for (number, task) in tasks.enumerated() { try folder.put(task, number) }
        try run(program, tasks, folder, tell)
        return tasks.indices.map { folder.result($0) }
      }
    } catch let error as RenderError {
      throw error
    } catch {
      throw .noFolder(error)
    }
  }

  /// The bytes that are read in the time that a process takes to start.
  private static let startCost = 6e6

  private func run<Task: WorkerTask>(
    _ program: WorkerProgram, _ tasks: [Task], _ folder: TaskFolder,
    _ tell: @escaping @Sendable (Int) -> Void
  ) throws(RenderError) {
    let costs = tasks.map { Runs.Cost(work: $0.work, preroll: Self.startCost) }
    // What is done before another process has started is left to the first.
    let most = costs.reduce(0) { $0 + $1.work } / Self.startCost
    let slots = max(1, min(Machine.cores, tasks.count, Int(saturating: min(most, 1e6))))
    let jobs = Runs.choose(Array(tasks.indices), costs: costs, workers: slots)
      .map { TaskJob(numbers: $0) }
    var worker = program
    worker.arguments += [Task.name, folder.jobs.path]
    let executor = LocalExecutor(
      slots: slots, runner: ProcessRunner<TaskJob>(worker, folder.jobs),
      describe: { job in
        "reading \(tasks[job.numbers.lowerBound].paths.first ?? "a recording")"
      })
    let outcome = executor.start(
      jobs, cancellation: cancellation,
      events: { _, event in if case .finished = event { tell(1) } },
      lost: { job, loss throws(RenderError) in
        try folder.jobs.record(loss, of: "\(job.numbers.lowerBound)")
      })
    try Slots.lending(cancellation) { outcome.wait { $0 } }.get()
  }
}
