import Foundation
import Glibc
import SystemPackage
import TesseraBatch
import TesseraJobs
import TesseraRequest
import TesseraSystem

/// Runs `tessera batch`: renders all jobs of a list, records their results and prints a summary.
final class BatchRunner {
  private let options: BatchCommand
  private let list: JobList
  private let reader: JobReader
  private let isMeant: @Sendable (Int) -> Bool
  private var results: BatchResults?
  private let metrics: BatchMetrics?
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
      do throws(SystemError) {
        try FileSystem.makeFolder(folder)
      } catch {
        throw RenderError(error)
      }
    }
    reader = JobReader(template, reports: options.reportDir, pages: options.pageDir)
    list = try JobList(
      options.list, template.execution, without: reader.outputs, Interrupts.cancellation)
    isMeant = try options.selection()
    var path = options.results
    if let folder = options.taskFolder, let task = options.task {
      path = ClusterBatch.resultsPath(folder, task)
    }
    resultsPath = path
    let isOverwriting = template.execution.overwrites == true
    self.isOverwriting = isOverwriting
    metrics = try options.metrics.map { path throws(RenderError) in
      try BatchMetrics(path, overwriting: isOverwriting)
    }
    printer = options.progress.printer
  }

  /// Runs all jobs; returns the exit code, `nil` for 0.
  func run() throws -> ExitStatus? {
    let check = try checked()
    results = try resultsPath.map { path throws(RenderError) in
      try BatchResults(path, Interrupts.cancellation)
    }
    let tally: BatchStatistics
    if case .slurm(let words) = options.executor {
      tally = try ClusterBatch(options, slurm: words, count: check.count)
        .run(results, metrics, printer)
    } else {
      tally = try work(check)
    }
    try results?.flush()
    printer.finish()
    metrics?.write(tally, running: 0)
    if Interrupts.cancellation.isCancelled { throw ExitStatus.stopped }
    if let folder = options.taskFolder, let task = options.task {
      _ = FileDescriptor.write(Data(), to: ClusterBatch.donePath(folder, task))
    }
    StandardOutput.print(lines: tally.table)
    if options.taskFolder == nil { try writePages() }
    if let unread { throw unread }
    return tally.status
  }

  /// Reads and checks the whole list before any job starts.
  ///
  /// - Throws: The first problem in the list, or ``ExitStatus/stopped``.
  private func checked() throws -> JobCheck {
    let files = try JobFileConflicts(
      list: list.path,
      [
        (resultsPath, "the file of results"), (options.metrics, "the file of metrics"),
        (index, "the list of all pages"),
      ])
    if let index { try OutputFile.require(index, protecting: [], overwriting: isOverwriting) }
    for call in list.leftOut.sorted() where options.task == nil {
      Terminal.print("note: \(call) is skipped, as it contains outputs of this batch.")
    }
    do throws(RenderError) {
      let check = try JobCheck(list, reader, files, Interrupts.cancellation, isMeant: isMeant)
      unread = check.unread
      return check
    } catch {
      throw error.kind == .cancelled ? ExitStatus.stopped as any Error : error
    }
  }

  private func work(_ check: JobCheck) throws -> BatchStatistics {
    let execution = options.execution
    var rules = BatchEngine.Rules(
      program: ForkServer.program, slots: execution.jobs, memory: execution.memoryLimit)
    rules.retries = options.retries
    (rules.timeout, rules.maxFailures) = (options.jobTimeout, options.maxFailures)
    rules.stopSignal = { Interrupts.wasTerminated ? SIGTERM : SIGINT }
    let (reader, isMeant) = (reader, isMeant)
    let order = try JobOrder(list, check.priorities) { entry in
      isMeant(entry.number) ? try? reader.job(entry).get() : nil
    }
    var (told, engine) = (ContinuousClock.now, BatchEngine?.none)
    let begun = try BatchEngine(
      JobQueue { order.next() }, count: check.count, rules, Interrupts.cancellation
    ) { [self] event in
      switch event {
      case .message(let level, let text, let job):
        printer.finish()
        Terminal.print("\(level): \(text)", job: job)
      case .ended(let outcome, isNew: true): try results?.add(outcome)
      case .ended(let outcome, isNew: false):
        if results?.holds(outcome.id, outcome.madeFrom) == false {
          try results?.add(outcome, mayWait: true)
        }
      case .tick(let running):
        guard let tally = engine?.tally else { return }
        printer.update(tally, running: running)
        guard .now - told > .seconds(2) else { return }
        told = .now
        try results?.flush()
        metrics?.write(tally, running: running)
      }
    }
    engine = begun
    defer { engine = nil }
    try begun.run()
    unread = unread ?? order.failure
    return begun.tally
  }

  /// The path of the page that lists all pages; `nil` without `--page-dir`.
  private var index: String? { options.pageDir.map { "\($0)/\(JobReader.index).html" } }

  /// Writes the page that lists the jobs' pages, also those of earlier runs and other machines.
  private func writePages() throws(RenderError) {
    guard let index else { return }
    var pages: [String] = []
    var lines = try JobEntries(list)
    while let entry = lines.next() {
      guard let page = try? reader.job(entry).get().request.sidecars.page, FileSystem.exists(page)
      else { continue }
      pages.append(page)
    }
    try PageList.write(pages, to: index, overwriting: isOverwriting)
    StandardOutput.print(index)
  }
}
