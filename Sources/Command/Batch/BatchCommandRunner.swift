import Foundation
import Glibc
import SystemPackage
import TesseraBatch
import TesseraJobs
import TesseraRequest
import TesseraSystem

/// Runs `tessera batch`: renders all jobs of a list, records their results and prints a summary.
final class BatchCommandRunner {
  private let options: BatchCommand
  private let list: JobList
  private let reader: JobListParser
  private let isMeant: @Sendable (Int) -> Bool
  private var results: BatchResultsFile?
  private let metrics: BatchMetricsFile?
  /// The file of results; `nil` if none are written.
  private let resultsPath: String?
  /// True if files that Tessera did not make may be replaced.
  private let isOverwriting: Bool
  private let printer: ProgressPrinter
  /// The reason that the list could not be read to its end; nil if it was.
  private var unread: RenderError?

  /// Opens the list and prepares the output folders, results and metrics.
  ///
  /// - Throws: If the list cannot be read, or a folder or file beside the outputs cannot be made.
  init(_ options: BatchCommand) throws {
    self.options = options
    let template = try options.template()
    let folders = [options.reportDir, options.pageDir].compactMap { $0 }
    for folder in folders where !folder.contains("://") {
      try RenderError.wrapping { () throws(SystemError) in try FileOperations.makeFolder(folder) }
    }
    reader = JobListParser(template, reports: options.reportDir, pages: options.pageDir)
    list = try JobList(
      options.list, template.execution, without: reader.outputs, InterruptHandler.cancellation)
    isMeant = try options.selection()
    var path = options.results
    if let folder = options.taskFolder, let task = options.task {
      path = ClusterBatchRunner.resultsPath(folder, task)
    }
    resultsPath = path
    let isOverwriting = template.execution.overwrites == true
    self.isOverwriting = isOverwriting
    metrics = try options.metrics.map { path throws(RenderError) in
      try BatchMetricsFile(path, overwriting: isOverwriting)
    }
    printer = options.progress.printer
  }

  /// Runs all jobs; returns the exit code, `nil` for 0.
  func run() throws -> ExitStatus? {
    let check = try checked()
    results = try resultsPath.map { path throws(RenderError) in
      try BatchResultsFile(path, InterruptHandler.cancellation)
    }
    let statistics: BatchStatistics
    if case .slurm(let words) = options.executor {
      statistics = try ClusterBatchRunner(options, slurm: words, count: check.count)
        .run(results, metrics, printer)
    } else {
      statistics = try work(check)
    }
    try results?.flush()
    printer.finish()
    metrics?.write(statistics, running: 0)
    if InterruptHandler.cancellation.isCancelled { throw ExitStatus.stopped }
    if let folder = options.taskFolder, let task = options.task {
      _ = FileDescriptor.write(Data(), to: ClusterBatchRunner.donePath(folder, task))
    }
    StandardOutput.print(lines: statistics.table)
    if options.taskFolder == nil { try writePages() }
    if let unread { throw unread }
    return statistics.status
  }

  /// Reads and checks the whole list before any job starts.
  ///
  /// - Throws: The first problem in the list, or ``ExitStatus/stopped``.
  private func checked() throws -> JobListCheck {
    let files = try JobFileConflictDetector(
      list: list.path,
      [
        (resultsPath, "the file of results"), (options.metrics, "the file of metrics"),
        (index, "the list of all pages"),
      ])
    if let index { try OutputFile.require(index, protecting: [], overwriting: isOverwriting) }
    for call in list.leftOut.sorted() where options.task == nil {
      StandardError.print("note: \(call) is skipped, as it contains outputs of this batch.")
    }
    do throws(RenderError) {
      let check = try JobListCheck(
        list, reader, files, InterruptHandler.cancellation, isMeant: isMeant)
      unread = check.unread
      return check
    } catch {
      throw error.kind == .cancelled ? ExitStatus.stopped as any Error : error
    }
  }

  private func work(_ check: JobListCheck) throws -> BatchStatistics {
    let execution = options.execution
    var rules = BatchEngine.Settings(
      program: ForkServer.program, slots: execution.jobs, memory: execution.memoryLimit)
    rules.retries = options.retries
    (rules.timeout, rules.maxFailures) = (options.jobTimeout, options.maxFailures)
    rules.stopSignal = { InterruptHandler.wasTerminated ? SIGTERM : SIGINT }
    let (reader, isMeant) = (reader, isMeant)
    let order = try JobPriorityIterator(list, check.priorities) { entry in
      isMeant(entry.number) ? try? reader.job(entry).get() : nil
    }
    var (told, engine) = (ContinuousClock.now, BatchEngine?.none)
    let begun = try BatchEngine(
      JobQueue { order.next() }, count: check.count, rules, InterruptHandler.cancellation
    ) { [self] event in
      switch event {
      case .message(let level, let text, let job):
        printer.finish()
        StandardError.print("\(level): \(text)", job: job)
      case .ended(let outcome, isNew: true): try results?.add(outcome)
      case .ended(let outcome, isNew: false):
        if results?.holds(outcome.id, outcome.madeFrom) == false {
          try results?.add(outcome, mayWait: true)
        }
      case .tick(let running):
        guard let statistics = engine?.statistics else { return }
        printer.update(statistics, running: running)
        guard .now - told > .seconds(2) else { return }
        told = .now
        try results?.flush()
        metrics?.write(statistics, running: running)
      }
    }
    engine = begun
    defer { engine = nil }
    try begun.run()
    unread = unread ?? order.failure
    return begun.statistics
  }

  /// The path of the page that lists all pages; `nil` without `--page-dir`.
  private var index: String? { options.pageDir.map { "\($0)/\(JobListParser.index).html" } }

  /// Writes the page that lists the jobs' pages, also those of earlier runs and other machines.
  private func writePages() throws(RenderError) {
    guard let index else { return }
    var pages: [String] = []
    var lines = try JobListReader(list)
    while let entry = lines.next() {
      guard let page = try? reader.job(entry).get().request.sidecars.page,
        FileOperations.exists(page)
      else { continue }
      pages.append(page)
    }
    try IndexPageWriter.write(pages, to: index, overwriting: isOverwriting)
    StandardOutput.print(index)
  }
}
