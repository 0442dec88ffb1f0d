import Foundation
import TesseraMedia
public import TesseraSystem

/// Processes that read recordings for a plan: `program` with `arguments`, to which the folder and
/// the job are added. A decoder that crashes, or was taken over, ends one of them.
public struct ReadingProcesses: Hashable, Sendable {
  /// The program.
  public var program: String
  /// What it is given before the folder and the job.
  public var arguments: [String]

  /// Processes that run `program`.
  public init(program: String, arguments: [String]) {
    (self.program, self.arguments) = (program, arguments)
  }
}

/// Who reads recordings for a plan: processes, or else threads of this one.
struct Readers: Sendable {
  var processes: ReadingProcesses?
  let cancellation: Cancellation
  /// Is told what is done, on any thread.
  var progress: (@Sendable (PlanningProgress) -> Void)?

  /// Threads of this process, or `processes`.
  init(
    _ processes: ReadingProcesses? = nil, cancellation: Cancellation,
    progress: (@Sendable (PlanningProgress) -> Void)? = nil
  ) {
    (self.processes, self.cancellation, self.progress) = (processes, cancellation, progress)
  }

  /// What comes of all `tasks`, in their order, several at a time; nil for what was not done because
  /// somebody asked to stop.
  ///
  /// - Throws: where a worker died without anything to blame, or none can be started.
  func perform(_ tasks: [ReadingTask]) throws(RenderError) -> [ReadingResult?] {
    guard let first = tasks.first else { return [] }
    let done = Monitor(0)
    let tell = { @Sendable [progress] (more: Int) in
      let count = done.withLock { number in
        number = min(number + more, tasks.count)
        return number
      }
      progress?(PlanningProgress(phase: first.phase, done: count, count: tasks.count))
    }
    tell(0)
    guard let processes else {
      return WorkerThreads.map(tasks, name: "reading", cancellation: cancellation) { task in
        defer { tell(1) }
        return task.perform(cancellation: cancellation)
      }
    }
    try OpenFiles.require()
    do {
      // It goes at the end.
      let scratch = try ScratchFolder()
      return try withExtendedLifetime(scratch) {
        let folder = try ReadingFolder.make(in: scratch.path)
        for (number, task) in tasks.enumerated() { try folder.put(task, number) }
        try run(processes, tasks, folder, tell)
        return tasks.indices.map { folder.result($0) }
      }
    } catch let error as RenderError {
      throw error
    } catch {
      throw .noFolder("\(error)")
    }
  }

  /// The bytes that are read in the time that a process takes to start.
  private static let startCost = 6e6

  private func run(
    _ processes: ReadingProcesses, _ tasks: [ReadingTask], _ folder: ReadingFolder,
    _ tell: @escaping @Sendable (Int) -> Void
  ) throws(RenderError) {
    let costs = tasks.map { Runs.Cost(work: $0.work, preroll: Self.startCost) }
    // What is done before another process has started is left to the first.
    let most = costs.reduce(0) { $0 + $1.work } / Self.startCost
    let slots = max(1, min(Machine.cores, tasks.count, Int(min(most, 1e6))))
    let jobs = Runs.choose(Array(tasks.indices), costs: costs, workers: slots)
      .map { RenderJob.reading($0) }
    var executor = LocalExecutor(
      slots: slots,
      runner: ProcessRunner(
        program: processes.program,
        arguments: { processes.arguments + [folder.path, $0.json] },
        note: { folder.notePath($0) }, log: { folder.logPath($0) }))
    executor.describe = { job in
      let first = job.numbers.flatMap { tasks[$0.lowerBound].paths.first }
      return "reading \(first ?? "a recording")"
    }
    let outcome = Monitor(Result<Void, RenderError>?.none)
    Task.detached(executorPreference: EngineThreads.shared) { [executor, cancellation] in
      let result: Result<Void, RenderError>
      do throws(RenderError) {
        try await executor.execute(
          jobs, cancellation: cancellation,
          events: { _, event in if case .finished = event { tell(1) } },
          lost: { job, loss throws(RenderError) in try record(loss, job, folder) })
        result = .success(())
      } catch {
        result = .failure(error)
      }
      outcome.update { $0 = result }
    }
    try outcome.wait { $0 }.get()
  }

  private func record(
    _ loss: CrashLoss, _ job: RenderJob, _ folder: ReadingFolder
  ) throws(RenderError) {
    do {
      try folder.record(loss, job.numbers?.lowerBound ?? loss.track)
    } catch {
      throw .noFolder("\(error)")
    }
  }
}

extension RenderError {
  fileprivate static func noFolder(_ reason: String) -> RenderError {
    RenderError(
      .failure,
      "cannot write into the folder for temporary files: \(reason); make room there, or set TMPDIR "
        + "to another folder.")
  }
}

/// Does what planning wants to know: what its workers run.
public struct ReadingPerformer: Sendable {
  private let folder: ReadingFolder
  private let job: RenderJob
  private let tasks: [(number: Int, task: ReadingTask)]
  private var refused: [String: MediaError] = [:]

  /// What `job` is in the folder at `path`.
  public init(_ job: RenderJob, folder path: String) throws(RenderError) {
    let folder = ReadingFolder(path)
    (self.folder, self.job) = (folder, job)
    tasks = (job.numbers ?? 0..<0).compactMap { number in folder.task(number).map { (number, $0) } }
    guard case .reading(let numbers) = job, tasks.count == numbers.count else {
      throw RenderError(.usage, "\(path) has no tasks for \(job).")
    }
  }

  /// The recordings that are read.
  public var files: [String] { tasks.flatMap(\.task.paths).filter { refused[$0] == nil } }

  /// Leaves `paths` out, which lie outside of the folder `root` that was named for all files.
  public mutating func refuse(_ paths: [String], outside root: String) {
    for path in paths { refused[path] = MediaError(path: path, reason: .outside(root)) }
  }

  /// The file for the crash note, and how many slots that needs.
  public var note: (path: String, slots: Int) {
    (
      folder.notePath(job),
      max(job.numbers?.upperBound ?? 0, tasks.compactMap(\.task.suspectCount).max() ?? 0)
    )
  }

  /// The folders that are written into.
  public var targets: [String] { tasks.compactMap(\.task.target) }

  /// Loads libraries that are needed: before a sandbox in which they would not be found.
  public func loadLibraries() { for (_, task) in tasks { task.loadLibraries() } }

  /// Does all tasks, but for what is done already; returns early once it is cancelled.
  public func perform(
    note: CrashNote, cancellation: Cancellation, events: (JobEvent) -> Void
  ) throws(RenderError) {
    for (number, task) in tasks {
      if folder.result(number) == nil {
        let refusal = task.paths.lazy.compactMap { refused[$0] }.first
        let result =
          refusal.map { .unreadable($0) }
          ?? task.perform(
            number, note: note, without: folder.losses(number), cancellation: cancellation)
        guard let result, !cancellation.isCancelled else { return }
        do {
          try folder.put(result, number)
        } catch {
          throw .noFolder("\(error)")
        }
      }
      events(.finished(segment: number))
    }
  }
}
