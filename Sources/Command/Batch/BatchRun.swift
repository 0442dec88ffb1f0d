import Foundation
import Glibc
import SystemPackage
import TesseraBatch
import TesseraJobs
import TesseraPlanning
import TesseraRendering
import TesseraSystem
import TesseraTimeline

/// Renders all jobs of a list, and says what became of them.
final class BatchRun {
  private let options: BatchCommand
  private let list: JobList
  private let reader: JobReader
  private let isMeant: @Sendable (Int) -> Bool
  private var results: BatchResults?
  private let metrics: BatchMetrics?
  /// Where the results go.
  private let resultsPath: String?
  /// Whether files may be replaced that Tessera did not make.
  private let isOverwriting: Bool
  private let printer: ProgressPrinter
  /// The reason that the list could not be read to its end; nil if it was.
  private var unread: RenderError?

  /// What `options` ask for.
  ///
  /// - Throws: where the list cannot be read, or what it writes beside the outputs has no place.
  init(_ options: BatchCommand) throws {
    self.options = options
    list = try JobList(options.list, try options.render.means())
    let folders = [options.reportDir, options.pageDir].compactMap { $0 }
    for folder in folders where !folder.contains("://") {
      do throws(SystemError) {
        try FileSystem.makeFolder(folder)
      } catch {
        throw RenderError(error)
      }
    }
    reader = JobReader(
      defaults: options.settings, output: options.output, reports: options.reportDir,
      pages: options.pageDir)
    isMeant = try options.selection()
    var path = options.results
    if let folder = options.taskFolder, let task = options.task {
      path = ClusterBatch.resultsPath(folder, task)
    }
    resultsPath = path
    let isOverwriting = options.settings.contains { $0.name == "overwrite" }
    self.isOverwriting = isOverwriting
    metrics = try options.metrics.map { path throws(RenderError) in
      try BatchMetrics(path, overwriting: isOverwriting)
    }
    printer = options.progress.printer
  }

  /// Does all jobs; returns the exit code where it is not 0.
  func run() throws -> ExitStatus? {
    let check = try checked()
    results = try resultsPath.map { path throws(RenderError) in try BatchResults(path) }
    let tally: BatchTally
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
    StandardOutput.say(lines: tally.table)
    if options.taskFolder == nil { try writePages() }
    if let unread { throw unread }
    return tally.status
  }

  /// Reads the whole list before anything begins.
  ///
  /// - Throws: where anything in it is wrong.
  private func checked() throws -> JobCheck {
    var check = JobCheck(
      try JobFiles(
        list: list.path,
        [
          (resultsPath, "the file of results"), (options.metrics, "the file of metrics"),
          (index, "the list of all pages"),
        ]))
    if let index { try OutputFile.require(index, protecting: [], overwriting: isOverwriting) }
    check.add(defaults: options.settings, list: list.name)
    var lines = try JobLines(list)
    while let entry = lines.next() {
      if Interrupts.cancellation.isCancelled { throw ExitStatus.stopped }
      check.add(reader.job(entry), place: entry.place, isMeant: isMeant(entry.number))
    }
    try check.finish(list.name)
    unread = lines.failure
    guard check.count > 0 else {
      throw unread
        ?? RenderError(.usage, "\(list.name) has no such job: it has \(lines.count) jobs.")
    }
    return check
  }

  private func work(_ check: JobCheck) throws -> BatchTally {
    let means = try options.machine.means()
    var rules = BatchEngine.Rules(
      program: EngineOptions.program, slots: means.jobs, memory: means.memoryLimit)
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
        Terminal.say("\(level): \(text)", job: job)
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

  /// The list of all pages; nil where there are none.
  private var index: String? { options.pageDir.map { "\($0)/\(JobReader.index).html" } }

  /// Writes the list of the pages that jobs have, those of earlier runs and other machines too.
  private func writePages() throws(RenderError) {
    guard let index else { return }
    var pages: [String] = []
    var lines = try JobLines(list)
    while let entry = lines.next() {
      guard let page = try? reader.job(entry).get().request.sidecars.page, FileSystem.exists(page)
      else { continue }
      pages.append(page)
    }
    try PageList.write(pages, to: index, overwriting: isOverwriting)
    StandardOutput.say(index)
  }
}

/// The jobs of a list, those of a higher priority first: the list is read once for each.
final class JobOrder {
  private let list: JobList
  private let job: (JobLines.Entry) -> BatchJob?
  private var lines: JobLines
  private var priorities: [Int]
  /// The reason that the list could not be read again; nil if it was, or is still being read.
  private(set) var failure: RenderError?

  /// The jobs that `job` makes of the entries of `list`, which have these priorities; nil for one
  /// that is not meant.
  init(
    _ list: JobList, _ priorities: Set<Int>, job: @escaping (JobLines.Entry) -> BatchJob?
  ) throws(RenderError) {
    (self.list, self.job) = (list, job)
    lines = try JobLines(list)
    self.priorities = priorities.sorted(by: >)
  }

  func next() -> BatchJob? {
    while let priority = priorities.first {
      while let entry = lines.next() {
        if let job = job(entry), job.priority == priority { return job }
      }
      failure = failure ?? lines.failure
      priorities.removeFirst()
      guard !priorities.isEmpty else { return nil }
      do throws(RenderError) {
        lines = try JobLines(list)
      } catch {
        failure = RenderError(.failure, error.sentence)
        return nil
      }
    }
    return nil
  }
}
