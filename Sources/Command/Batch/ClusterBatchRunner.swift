import Foundation
import TesseraBatch
import TesseraJobs
import TesseraRequest
import TesseraSystem

/// Runs a batch on a Slurm cluster as one array. Each task runs a share of the jobs as a batch of
/// its own and writes their results into the shared folder.
final class ClusterBatchRunner: Sendable {
  private let options: BatchCommand
  private let cluster: SlurmQueue
  private let count: Int
  private let folder: String
  private let state: ConditionLock<State>

  private struct State {
    var statistics: BatchStatistics
    /// The number of bytes already read of each task's results.
    var read: [Int: Int] = [:]
    /// Hashes of the ids of ended jobs. A task that is queued again reports some jobs twice.
    var known: Set<Int> = []
    var outcomes: [BatchOutcome] = []
  }

  /// The maximum number of tasks of an array: 1,000 keeps it below Slurm's default limit
  /// (`MaxArraySize` 1001).
  private static let mostTasks = 1000

  /// Prepares a run of the `count` jobs in the list that `options` name.
  ///
  /// - Throws: ``RenderError`` if the shared folder cannot be made.
  init(_ options: BatchCommand, slurm: [String], count: Int) throws(RenderError) {
    (self.options, self.count) = (options, count)
    cluster = SlurmQueue(options: slurm)
    folder = URL(fileURLWithPath: options.list).standardizedFileURL.path + ".batch"
    state = ConditionLock(State(statistics: BatchStatistics(count: count)))
    try RenderError.wrapping { () throws(SystemError) in try FileOperations.makeFolder(folder) }
    // Files of an earlier batch would be read as results of this batch.
    for name in FileOperations.names(in: folder) { FileOperations.remove("\(folder)/\(name)") }
  }

  private var tasks: Int { min(count, Self.mostTasks) }

  /// Submits the array and waits until all tasks have ended; returns the tally of all jobs.
  func run(
    _ results: BatchResultsFile?, _ metrics: BatchMetricsFile?, _ printer: ProgressPrinter
  ) throws(RenderError) -> BatchStatistics {
    let array = ClusterJobArray(
      cluster, command: command, count: tasks, folder: folder, retries: max(1, options.retries))
    let outcome = DedicatedThreadExecutor.launch { [self] () async throws(RenderError) in
      try await array.run(
        InterruptHandler.cancellation,
        isDone: { FileOperations.exists(Self.donePath(self.folder, $0)) },
        look: { () throws(RenderError) in self.look() })
    }
    while outcome.withLock({ $0 == nil }) {
      Thread.sleep(forTimeInterval: 0.2)
      try write(results)
      let statistics = state.withLock { $0.statistics }
      metrics?.write(statistics, running: 0)
      printer.update(statistics, running: 0)
    }
    let lost = try outcome.wait { $0 }.get()
    look()
    try write(results)
    for task in lost.sorted() {
      printer.finish()
      StandardError.print(
        "error: task \(task) of the cluster ended too often before its jobs; its log is "
          + "\(folder)/\(task).log.")
    }
    return state.withLock { $0.statistics }
  }

  /// The command line of a task; the cluster appends the task's number.
  private var command: [String] {
    var words = [ForkServer.program, "batch", options.list]
    let values: [(String, String?)] = [
      ("output", options.output), ("jobs", options.machine.jobs),
      ("memory", options.machine.memory),
      ("report-dir", options.reportDir), ("page-dir", options.pageDir),
      ("retries", "\(options.retries)"), ("job-timeout", options.jobTimeout.map { "\($0)" }),
      ("max-failures", options.maxFailures.map(String.init)), ("progress", "none"),
      ("task-folder", folder), ("tasks", "\(tasks)"),
    ]
    words += values.compactMap { name, value in value.map { "--\(name)=\($0)" } }
    for (name, texts) in options.render.given {
      let isDenied = texts == ["off"] && RenderRequest.option(name)?.row.arity == .deniableFlag
      let isFlag = texts.isEmpty || RenderRequest.option(name)?.row.arity == .deniableFlag
      words += isFlag ? [isDenied ? "--no-\(name)" : "--\(name)"] : texts.map { "--\(name)=\($0)" }
    }
    let others = options.render.others
    words += others.also.map { "--also=\($0)" }
    words += others.hls.map { ["--hls=\($0.optionText)"] } ?? []
    words += others.outputs.map { ["--outputs=\($0)"] } ?? []
    return words + ["--task"]
  }

  // MARK: What tasks write

  /// The path of the results that `task` writes, a JSON object per line.
  static func resultsPath(_ folder: String, _ task: Int) -> String { "\(folder)/\(task).jsonl" }

  /// The path of the file that marks `task` as done, even if some of its jobs failed.
  static func donePath(_ folder: String, _ task: Int) -> String { "\(folder)/\(task).done" }

  /// Adds the results that tasks have written since the last call.
  private func look() {
    state.update { state in
      for task in 0..<tasks {
        let path = Self.resultsPath(folder, task)
        let size = FileOperations.byteCount(of: path)
        guard size > state.read[task] ?? 0, let file = try? RegularFile(path),
          let bytes = try? file.bytes(size, from: state.read[task] ?? 0),
          let end = bytes.lastIndex(of: UInt8(ascii: "\n"))
        else { continue }
        state.read[task, default: 0] += end + 1
        for line in bytes[...end].split(separator: UInt8(ascii: "\n")) {
          guard let outcome = CanonicalJSON.value(Data(line), as: BatchOutcome.self),
            state.known.insert(outcome.id.hashValue).inserted
          else { continue }
          state.statistics.add(outcome)
          state.outcomes.append(outcome)
        }
      }
    }
  }

  private func write(_ results: BatchResultsFile?) throws(RenderError) {
    let outcomes = state.withLock { state in
      defer { state.outcomes = [] }
      return state.outcomes
    }
    guard let results else { return }
    for outcome in outcomes
    where outcome.attempts > 0 || !results.holds(outcome.id, outcome.madeFrom) {
      try results.add(outcome, mayWait: true)
    }
    try results.flush()
  }
}
