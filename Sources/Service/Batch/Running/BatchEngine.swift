import Foundation
import Glibc
import TesseraJobs
import TesseraRendering
import TesseraRequest
package import TesseraSystem
package import TesseraTimeline

/// Renders many jobs, several at once.
///
/// This process opens no recording: each job runs in its own process, and all share the machine's
/// slots. A few more jobs are started than there are slots, so that the end of a job overlaps the
/// start of the next.
package final class BatchEngine {
  /// Execution settings of a batch.
  package struct Settings: Sendable {
    /// The path of the `tessera` program whose processes render the jobs.
    package var program: String
    /// The number of processors to keep busy.
    package var slots: Int
    /// The memory limit of all jobs together, in bytes.
    package var memory: Int
    /// The maximum number of retries of a job that crashed or failed with a temporary error.
    package var retries = 0
    /// The timeout of a job; `nil` for none.
    package var timeout: MediaTime?
    /// The number of failed jobs after which no further job starts; `nil` for no limit.
    package var maxFailures: Int?
    /// Returns the signal that is sent to running jobs when the batch is stopped.
    package var stopSignal: @Sendable () -> CInt = { SIGINT }

    /// Creates rules for `program`. By default, jobs use all processors and four fifths of the free
    /// memory.
    package init(program: String, slots: Int? = nil, memory: Int? = nil) {
      self.program = program
      self.slots = slots ?? MachineResources.cores
      self.memory = memory ?? MachineResources.freeMemory / 5 * 4
    }
  }

  /// An event that a running batch reports.
  package enum Event {
    /// A message about the job with that id.
    case message(level: String, text: String, job: String)
    /// The end of a job. `isNew` is false if the job was skipped because its outputs were complete.
    case ended(BatchOutcome, isNew: Bool)
    /// Sent on each pass of the main loop, with the number of running jobs.
    case tick(running: Int)
  }

  private let rules: Settings
  private let server: BatchResourceServer
  private let cancellation: Cancellation
  private let report: (Event) throws -> Void
  private let heard = ConditionLock([(order: Int, event: BatchJobProcess.Event)]())

  /// The totals of all jobs so far.
  package private(set) var statistics: BatchStatistics
  private var queue: JobQueue
  private let lookups = FinishedJobLookup()
  private var active: [Int: Attempt] = [:]
  /// The number of processes started so far. A process started earlier gets slots before later
  /// ones.
  private var began = 0
  private var isStopping = false

  /// The number of jobs that are started beyond the number of slots.
  private static let ready = 2
  /// The time between two polls for events, in microseconds.
  private static let pause: UInt32 = 10_000
  /// The number of file descriptors that each running job needs in this process.
  private static let filesPerJob = 6

  /// A running job.
  private struct Attempt {
    let work: JobQueue.QueuedJob
    let process: BatchJobProcess
    /// The time at which the job was asked to stop, and the reason; `nil` if it was not.
    var stop: (reason: String, since: ContinuousClock.Instant)?
    /// The error messages of the job's process. They are reported at its end, as warnings if the
    /// job is retried.
    var errors: [String] = []
    let begin = ContinuousClock.now

    /// Returns at least one sentence that describes why the job failed.
    func reasons(_ end: BatchJobProcess.Outcome) -> [String] {
      stop.map { [$0.reason] } ?? (errors.isEmpty ? [end.error] : errors)
    }
  }

  /// Creates an engine for the jobs of `queue`.
  ///
  /// - Parameters:
  ///   - queue: The jobs.
  ///   - count: The number of jobs.
  ///   - rules: The execution settings.
  ///   - cancellation: Stops the batch.
  ///   - report: Receives events, on the thread of ``run()``.
  /// - Throws: ``RenderError`` if the limit of open files is too low for that many concurrent jobs.
  package init(
    _ queue: consuming JobQueue, count: Int, _ rules: Settings, _ cancellation: Cancellation,
    report: @escaping (Event) throws -> Void
  ) throws(RenderError) {
    try OpenFileCheck.require(OpenFileCheck.own + Self.filesPerJob * (rules.slots + Self.ready))
    (self.rules, self.cancellation, self.report) = (rules, cancellation, report)
    self.queue = queue
    statistics = BatchStatistics(count: count)
    server = BatchResourceServer(slots: rules.slots, memory: rules.memory)
  }

  /// Runs all jobs and returns when the last has ended.
  ///
  /// - Throws: An error if a process cannot be started, and any error that the event handler
  ///   throws.
  package func run() throws {
    defer { lookups.end() }
    while true {
      if cancellation.isCancelled, !isStopping { stopAll() }
      let isIdle = try begin()
      try hear()
      endLate()
      if active.isEmpty, isStopping || isExhausted || isIdle && queue.isEmpty && lookups.isEmpty {
        return
      }
      try report(.tick(running: active.count))
      if isIdle || active.count >= rules.slots + Self.ready { usleep(Self.pause) }
    }
  }

  /// True if so many jobs failed that no further job starts.
  private var isExhausted: Bool { rules.maxFailures.map { statistics.failed >= $0 } ?? false }

  // MARK: Starting

  /// Starts jobs while there is room, for at most about 50 ms. Returns true if nothing more can be
  /// started now.
  private func begin() throws -> Bool {
    let start = ContinuousClock.now
    while active.count < rules.slots + Self.ready, !isStopping, !isExhausted {
      while lookups.wantsMore, let work = queue.next() { lookups.add(work) }
      guard let found = lookups.next() else { return true }
      if let made = found.made { try skip(found.work, made) } else { try begin(found.work) }
      if .now - start > .milliseconds(50) { return false }
    }
    return isStopping || isExhausted
  }

  private func begin(_ work: JobQueue.QueuedJob) throws(RenderError) {
    var work = work
    work.attempts += 1
    began += 1
    let order = began
    // Errors are ignored: the job itself reports a folder that cannot be created.
    for folder in work.job.folders { try? FileOperations.makeFolder(folder) }
    let input = try RenderError.wrapping { () throws(SystemError) in
      try server.connect(order, work.job.request)
    }
    let heard = heard
    let setup = WorkerSetup.batch(madeFrom: work.digest, isListed: work.job.isListed)
    let process = try BatchJobProcess(WorkerProgram(rules.program, setup), input: input) { event in
      heard.update { $0.append((order, event)) }
    }
    active[order] = Attempt(work: work, process: process)
  }

  /// Records a job whose outputs are already complete.
  private func skip(_ work: JobQueue.QueuedJob, _ made: OutputProvenance) throws {
    let isLossy = made.hasLosses && work.job.request.execution.acceptsLosses != true
    let status = isLossy ? ExitStatus.renderedWithLosses.rawValue : 0
    let outcome = BatchOutcome(
      id: work.job.id, exit: status, outputs: work.job.made, attempts: 0,
      madeFrom: work.digest)
    statistics.add(outcome)
    try report(.ended(outcome, isNew: false))
  }

  // MARK: Receiving

  private func hear() throws {
    let events = heard.withLock { events in
      defer { events = [] }
      return events
    }
    for request in server.newlyWaiting() {
      guard let attempt = active[request.job] else { continue }
      try report(
        .message(
          level: "note",
          text:
            "waiting for \(FileSystemInfo.megabytes(request.bytes, .up)) MB of room on the disk of "
            + "\(request.folder).",
          job: attempt.work.job.id))
    }
    for (order, event) in events {
      guard let attempt = active[order] else { continue }
      switch event {
      case .message(let level, let text):
        if level == "error" {
          active[order]?.errors.append(text)
        } else {
          try report(.message(level: level, text: text, job: attempt.work.job.id))
        }
      case .progress(let part): statistics.fractions[order] = part
      case .ended(let end):
        server.disconnect(order)
        statistics.fractions[order] = nil
        active[order] = nil
        try ended(attempt, end)
      }
    }
  }

  /// Retries a job that failed with a temporary error, or reports its outcome.
  ///
  /// A failed upload arrives here only after the retries of `HTTPClient.send` (one request) and of
  /// `S3Client.begin` and `S3Client.upload` (`Storage/S3/S3Client+Writing.swift`, a multipart
  /// upload).
  private func ended(_ attempt: Attempt, _ end: BatchJobProcess.Outcome) throws {
    let work = attempt.work
    let code = end.code
    let isDone = [0, ExitStatus.renderedWithLosses.rawValue].contains(code)
    // When the batch is stopped, unfinished jobs get no result, so that a later batch runs them
    // again.
    if isStopping, !isDone { return }
    let isRetried =
      !isDone && end.isTransient && attempt.stop == nil && work.attempts <= rules.retries
    let reasons = isDone ? attempt.errors : attempt.reasons(end)
    for text in reasons {
      try report(.message(level: isRetried ? "warning" : "error", text: text, job: work.job.id))
    }
    if isRetried {
      statistics.retries += 1
      let pause = JobQueue.pause(after: work.attempts)
      try report(.message(level: "note", text: "retrying in \(pause) s.", job: work.job.id))
      return queue.put(work, after: .seconds(pause))
    }
    // A failed job's process may report no time.
    let elapsed = end.result?.elapsed ?? (ContinuousClock.now - attempt.begin) / .seconds(1)
    let outcome = BatchOutcome(
      id: work.job.id, exit: code, outputs: isDone ? end.result?.made ?? work.job.made : [],
      duration: end.result?.duration, elapsed: elapsed,
      cpu: end.result?.processorSeconds, bytes: end.result?.bytes, losses: end.result?.losses,
      attempts: work.attempts, error: isDone ? nil : reasons.last,
      madeFrom: isDone ? work.digest : nil)
    statistics.add(outcome)
    try report(.ended(outcome, isNew: true))
  }

  // MARK: Ending

  /// The grace period between the request to stop and `SIGKILL`.
  private static let patience = Duration.seconds(10)

  /// Stops jobs that exceed the timeout, and kills stopped jobs after the grace period.
  private func endLate() {
    for (order, attempt) in active {
      if let stop = attempt.stop {
        if .now - stop.since > Self.patience { attempt.process.send(SIGKILL) }
        continue
      }
      guard let limit = rules.timeout, let begin = server.begin(of: order),
        .now - begin > .nanoseconds(limit.nanoseconds)
      else { continue }
      active[order]?.stop = (
        "it exceeded the time limit of a job, \(limit.clockWithTenths).", .now
      )
      attempt.process.send(SIGTERM)
    }
  }

  private func stopAll() {
    isStopping = true
    lookups.cancel()
    let signal = rules.stopSignal()
    for (order, attempt) in active {
      active[order]?.stop = ("stopped.", .now)
      attempt.process.send(signal)
    }
  }
}
