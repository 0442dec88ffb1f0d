import Foundation
import Glibc
import SystemPackage
import TesseraJobs
import TesseraPlanning
import TesseraRendering
import TesseraSystem
import TesseraTimeline

/// Renders all jobs of a list, several at once.
///
/// This process opens no recording: each job is a process of its own, and all share the machine's
/// slots. A few more jobs are begun than there are slots, so that the end of one overlaps the
/// beginning of the next.
final class BatchRun {
  private let options: BatchCommand
  private let list: JobList
  private let reader: JobReader
  private let isMeant: @Sendable (Int) -> Bool
  private let server: SlotServer
  private let slots: Int
  private var results: BatchResults?
  private let metrics: BatchMetrics?
  /// Where the results go.
  private let resultsPath: String?
  /// Whether files may be replaced that Tessera did not make.
  private let isOverwriting: Bool
  private let printer: ProgressPrinter
  private let events = Monitor([(order: Int, event: Coordinator.Event)]())

  private var tally = BatchTally(count: 0)
  private var queue: JobQueue
  private let lookups = JobLookups()
  private var active: [Int: Attempt] = [:]
  /// How many processes were begun: earlier ones have slots before later ones.
  private var began = 0
  private var isStopping = false

  /// Jobs that are begun beyond the slots.
  private static let ready = 2
  /// What is between two looks at what happened.
  private static let pause: UInt32 = 10_000
  /// Files that each job holds open here.
  private static let filesPerJob = 6

  /// A job that runs.
  private struct Attempt {
    let work: JobQueue.Work
    let coordinator: Coordinator
    /// Since when it was asked to end, and why.
    var stop: (reason: String, since: ContinuousClock.Instant)?
    var lastError: String?
  }

  /// What `options` ask for.
  ///
  /// - Throws: where the list cannot be read, or what it writes beside the outputs has no place.
  init(_ options: BatchCommand) throws {
    self.options = options
    list = try JobList(options.list, options.settings)
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
    let means = try options.machine.means()
    slots = means.jobs ?? Machine.cores
    try OpenFiles.require(OpenFiles.own + Self.filesPerJob * (slots + Self.ready))
    server = SlotServer(
      slots: slots, memory: means.memoryLimit ?? Machine.freeMemory / 5 * 4)
    let (reader, isMeant) = (reader, isMeant)
    queue = try JobQueue(list) { entry in
      isMeant(entry.number) ? try? reader.job(entry).get() : nil
    }
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
    guard check.count > 0 else {
      throw RenderError(.usage, "\(list.name) has no such job: it has \(lines.count) jobs.")
    }
    results = try resultsPath.map { path throws(RenderError) in try BatchResults(path) }
    if case .slurm(let words) = options.executor {
      tally = try ClusterBatch(options, slurm: words, count: check.count)
        .run(results, metrics, printer)
    } else {
      try queue.begin(check.priorities)
      tally = BatchTally(count: check.count)
      defer { lookups.end() }
      try work()
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
    return tally.status
  }

  /// The list of all pages; nil where there are none.
  private var index: String? { options.pageDir.map { "\($0)/\(JobReader.index).html" } }

  /// Writes the list of the pages that jobs have, those of earlier runs and other machines too.
  private func writePages() throws(RenderError) {
    guard let index else { return }
    var pages: [String] = []
    var lines = try JobLines(list)
    while let entry = lines.next() {
      guard let page = try? reader.job(entry).get().value(of: "page"), FileSystem.exists(page)
      else { continue }
      pages.append(page)
    }
    try PageList.write(pages, to: index, overwriting: isOverwriting)
    StandardOutput.say(index)
  }

  private func work() throws {
    var told = ContinuousClock.now
    while true {
      if Interrupts.cancellation.isCancelled, !isStopping { stopAll() }
      let isIdle = try begin()
      try hear()
      endLate()
      if active.isEmpty, isStopping || isExhausted || isIdle && queue.isEmpty && lookups.isEmpty {
        return
      }
      printer.update(tally, running: active.count)
      if .now - told > .seconds(2) {
        told = .now
        try results?.flush()
        metrics?.write(tally, running: active.count)
      }
      if isIdle || active.count >= slots + Self.ready { usleep(Self.pause) }
    }
  }

  /// Whether too many jobs failed for more to be begun.
  private var isExhausted: Bool { options.maxFailures.map { tally.failed >= $0 } ?? false }

  // MARK: Beginning

  /// Begins jobs while there is room, but looks up now and then; returns whether there was nothing
  /// to begin.
  private func begin() throws -> Bool {
    let start = ContinuousClock.now
    while active.count < slots + Self.ready, !isStopping, !isExhausted {
      while lookups.wantsMore, let work = queue.next() { lookups.add(work) }
      guard let found = lookups.next() else { return true }
      if let made = found.made { try skip(found.work, made) } else { try begin(found.work) }
      if .now - start > .milliseconds(50) { return false }
    }
    return isStopping || isExhausted
  }

  private func begin(_ work: JobQueue.Work) throws {
    var work = work
    work.attempts += 1
    began += 1
    let order = began
    // Where one cannot be made, render says so.
    for folder in work.job.folders { try? FileSystem.makeFolder(folder) }
    let words = work.job.words + (work.digest.map { ["--made-from=\($0)"] } ?? [])
    let input: SharedDescriptor
    do throws(SystemError) {
      input = try server.connect(order)
    } catch {
      throw RenderError(error)
    }
    let events = events
    let coordinator = try Coordinator(words, input: input) { event in
      events.update { $0.append((order, event)) }
    }
    active[order] = Attempt(work: work, coordinator: coordinator)
  }

  /// Notes a job that an earlier run has finished.
  private func skip(_ work: JobQueue.Work, _ made: MadeFrom) throws {
    let isLossy = made.hasLosses && !work.job.settings.contains { $0.name == "accept-losses" }
    let status = isLossy ? ExitStatus.renderedWithLosses.rawValue : 0
    let outcome = JobOutcome(
      id: work.job.id, exit: status, outputs: work.job.made, attempts: 0,
      madeFrom: work.digest)
    tally.add(outcome)
    if results?.holds(work.job.id, work.digest) == false {
      try results?.add(outcome, mayWait: true)
    }
  }

  // MARK: Hearing

  private func hear() throws {
    let heard = events.withLock { events in
      defer { events = [] }
      return events
    }
    for request in server.newlyWaiting() {
      guard let attempt = active[request.job] else { continue }
      printer.finish()
      Terminal.say(
        "note: waiting for \(request.bytes >> 20) MiB of room on the disk of \(request.folder).",
        job: attempt.work.job.id)
    }
    for (order, event) in heard {
      guard let attempt = active[order] else { continue }
      switch event {
      case .message(let level, let text):
        if level == "error" { active[order]?.lastError = text }
        printer.finish()
        Terminal.say("\(level): \(text)", job: attempt.work.job.id)
      case .progress(let part): tally.fractions[order] = part
      case .ended(let end):
        server.disconnect(order)
        tally.fractions[order] = nil
        active[order] = nil
        try ended(attempt, end)
      }
    }
  }

  private func ended(_ attempt: Attempt, _ end: Coordinator.End) throws {
    let work = attempt.work
    let code = end.code
    let isDone = [0, ExitStatus.renderedWithLosses.rawValue].contains(code)
    // A batch that is stopped is left as it was: nothing is said of jobs that were not done.
    if isStopping, !isDone { return }
    if !isDone, end.mayPass, attempt.stop == nil, work.attempts <= options.retries {
      tally.retries += 1
      let pause = JobQueue.pause(after: work.attempts)
      printer.finish()
      Terminal.say("note: trying again in \(pause) s.", job: work.job.id)
      return queue.put(work, after: .seconds(pause))
    }
    let outcome = JobOutcome(
      id: work.job.id, exit: code, outputs: isDone ? end.result?.made ?? work.job.made : [],
      duration: end.result?.duration, elapsed: end.result?.elapsed,
      cpu: end.result?.processorSeconds, bytes: end.result?.bytes, losses: end.result?.losses,
      attempts: work.attempts,
      error: isDone ? nil : attempt.stop?.reason ?? attempt.lastError ?? end.error,
      madeFrom: isDone ? work.digest : nil)
    tally.add(outcome)
    try results?.add(outcome)
  }

  // MARK: Ending

  /// What a job has to end in once it is asked to.
  private static let patience = Duration.seconds(10)

  /// Ends jobs that take too long.
  private func endLate() {
    for (order, attempt) in active {
      if let stop = attempt.stop {
        if .now - stop.since > Self.patience { attempt.coordinator.send(SIGKILL) }
        continue
      }
      guard let limit = options.jobTimeout, let begin = server.begin(of: order),
        .now - begin > .nanoseconds(limit.nanoseconds)
      else { continue }
      active[order]?.stop = ("it took longer than --job-timeout allows.", .now)
      attempt.coordinator.send(SIGTERM)
    }
  }

  private func stopAll() {
    isStopping = true
    lookups.cancel()
    let signal = Interrupts.wasTerminated ? SIGTERM : SIGINT
    for (order, attempt) in active {
      active[order]?.stop = ("stopped.", .now)
      attempt.coordinator.send(signal)
    }
  }
}
