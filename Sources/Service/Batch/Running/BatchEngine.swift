import Foundation
import Glibc
import TesseraJobs
import TesseraRendering
import TesseraRequest
package import TesseraSystem
package import TesseraTimeline

/// Renders many jobs, several at once.
///
/// This process opens no recording: each job is a process of its own, and all share the machine's
/// slots. A few more jobs are begun than there are slots, so that the end of one overlaps the
/// beginning of the next.
package final class BatchEngine {
  /// How jobs are done.
  package struct Rules: Sendable {
    /// The path of `tessera`, whose processes do them.
    package var program: String
    /// How many processors they keep busy.
    package var slots: Int
    /// The bytes of memory that they take together.
    package var memory: Int
    /// How often a job is tried again that failed for a reason that may pass, or crashed.
    package var retries = 0
    /// The longest that a job may take; nil is as long as it takes.
    package var timeout: MediaTime?
    /// No more jobs are begun once that many have failed; nil is any number.
    package var maxFailures: Int?
    /// The signal that asks a job to end when the batch is stopped.
    package var stopSignal: @Sendable () -> CInt = { SIGINT }

    /// Done by `program` with the usual share of the machine, unless a number of processors or
    /// bytes of memory are given.
    package init(program: String, slots: Int? = nil, memory: Int? = nil) {
      self.program = program
      self.slots = slots ?? Machine.cores
      self.memory = memory ?? Machine.freeMemory / 5 * 4
    }
  }

  /// What a batch reports while it runs.
  package enum Event {
    /// A sentence about the job of that id.
    case message(level: String, text: String, job: String)
    /// The end of a job; `isNew` is whether it was begun by this batch.
    case ended(BatchOutcome, isNew: Bool)
    /// A while has passed; as many jobs run.
    case tick(running: Int)
  }

  private let rules: Rules
  private let server: SlotServer
  private let cancellation: Cancellation
  private let tell: (Event) throws -> Void
  private let heard = Monitor([(order: Int, event: Coordinator.Event)]())

  /// What all came to so far.
  package private(set) var tally: BatchTally
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
    /// The errors that its process has reported; they are passed on at its end.
    var errors: [String] = []
    let begin = ContinuousClock.now

    /// The sentences that say why it failed, at least one.
    func reasons(_ end: Coordinator.End) -> [String] {
      stop.map { [$0.reason] } ?? (errors.isEmpty ? [end.error] : errors)
    }
  }

  /// What does the jobs of `queue`, which are `count`, by `rules`, until it is canceled; `tell` is
  /// told what happens, on the thread of ``run()``.
  ///
  /// - Throws: where this process may open too few files for so many jobs at once.
  package init(
    _ queue: consuming JobQueue, count: Int, _ rules: Rules, _ cancellation: Cancellation,
    tell: @escaping (Event) throws -> Void
  ) throws(RenderError) {
    try OpenFiles.require(OpenFiles.own + Self.filesPerJob * (rules.slots + Self.ready))
    (self.rules, self.cancellation, self.tell) = (rules, cancellation, tell)
    self.queue = queue
    tally = BatchTally(count: count)
    server = SlotServer(slots: rules.slots, memory: rules.memory)
  }

  /// Does all jobs.
  ///
  /// - Throws: where a process cannot be begun, and what being told throws.
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
      try tell(.tick(running: active.count))
      if isIdle || active.count >= rules.slots + Self.ready { usleep(Self.pause) }
    }
  }

  /// Whether too many jobs failed for more to be begun.
  private var isExhausted: Bool { rules.maxFailures.map { tally.failed >= $0 } ?? false }

  // MARK: Beginning

  /// Begins jobs while there is room, but looks up now and then; returns whether there was nothing
  /// to begin.
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

  private func begin(_ work: JobQueue.Work) throws(RenderError) {
    var work = work
    work.attempts += 1
    began += 1
    let order = began
    // Where one cannot be made, the job says so.
    for folder in work.job.folders { try? FileSystem.makeFolder(folder) }
    let input: SharedDescriptor
    do throws(SystemError) {
      input = try server.connect(order, work.job.request)
    } catch {
      throw RenderError(error)
    }
    let heard = heard
    let coordinator = try Coordinator(
      rules.program, madeFrom: work.digest, isListed: work.job.isListed, input: input
    ) { event in heard.update { $0.append((order, event)) } }
    active[order] = Attempt(work: work, coordinator: coordinator)
  }

  /// Notes a job that an earlier batch has finished.
  private func skip(_ work: JobQueue.Work, _ made: MadeFrom) throws {
    let isLossy = made.hasLosses && work.job.request.means.acceptsLosses != true
    let status = isLossy ? ExitStatus.renderedWithLosses.rawValue : 0
    let outcome = BatchOutcome(
      id: work.job.id, exit: status, outputs: work.job.made, attempts: 0,
      madeFrom: work.digest)
    tally.add(outcome)
    try tell(.ended(outcome, isNew: false))
  }

  // MARK: Hearing

  private func hear() throws {
    let events = heard.withLock { events in
      defer { events = [] }
      return events
    }
    for request in server.newlyWaiting() {
      guard let attempt = active[request.job] else { continue }
      try tell(
        .message(
          level: "note",
          text: "waiting for \(Disk.megabytes(request.bytes, .up)) MB of room on the disk of "
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
          try tell(.message(level: level, text: text, job: attempt.work.job.id))
        }
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
    let isRetried = !isDone && end.mayPass && attempt.stop == nil && work.attempts <= rules.retries
    let reasons = isDone ? attempt.errors : attempt.reasons(end)
    for text in reasons {
      try tell(.message(level: isRetried ? "warning" : "error", text: text, job: work.job.id))
    }
    if isRetried {
      tally.retries += 1
      let pause = JobQueue.pause(after: work.attempts)
      try tell(.message(level: "note", text: "trying again in \(pause) s.", job: work.job.id))
      return queue.put(work, after: .seconds(pause))
    }
    // The process reports no time of a job that failed.
    let elapsed = end.result?.elapsed ?? (ContinuousClock.now - attempt.begin) / .seconds(1)
    let outcome = BatchOutcome(
      id: work.job.id, exit: code, outputs: isDone ? end.result?.made ?? work.job.made : [],
      duration: end.result?.duration, elapsed: elapsed,
      cpu: end.result?.processorSeconds, bytes: end.result?.bytes, losses: end.result?.losses,
      attempts: work.attempts, error: isDone ? nil : reasons.last,
      madeFrom: isDone ? work.digest : nil)
    tally.add(outcome)
    try tell(.ended(outcome, isNew: true))
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
      guard let limit = rules.timeout, let begin = server.begin(of: order),
        .now - begin > .nanoseconds(limit.nanoseconds)
      else { continue }
      active[order]?.stop = ("it took longer than a job may take.", .now)
      attempt.coordinator.send(SIGTERM)
    }
  }

  private func stopAll() {
    isStopping = true
    lookups.cancel()
    let signal = rules.stopSignal()
    for (order, attempt) in active {
      active[order]?.stop = ("stopped.", .now)
      attempt.coordinator.send(signal)
    }
  }
}
