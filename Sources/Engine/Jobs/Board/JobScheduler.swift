import TesseraSystem

/// The scheduling state of jobs: waiting, running, and the retries of jobs whose workers died. A
/// value type without a clock; the executor reports all events to it.
///
/// A worker that dies is replaced. If two attempts die while decoding the same track, that track is
/// blamed, and the part is made without the track from the crash on. If two attempts die and no
/// track can be blamed, the job fails.
package struct JobScheduler<Work: Job> {
  /// The retry policy for a job whose worker died.
  enum CrashRetryMode {
    /// The part that was running is retried while no other job runs, so that memory which other
    /// jobs used is free. The rest of the job becomes a job of its own.
    case alone
    /// All remaining parts of the job are retried beside other jobs.
    case whole
  }

  /// A job that was given to a worker.
  struct Assignment: Hashable, Sendable {
    let id: Int
    let job: Work
    /// The index of the job in the original list.
    let place: Int
    /// The running job from which this job was split off and that has to end earlier; nil for most
    /// jobs.
    var shortened: ShortenedJob?
  }

  /// A running job whose last parts were moved to another job: it has to end before part `end`.
  struct ShortenedJob: Hashable, Sendable {
    let job: Work
    let end: Int
  }

  /// The action that the executor has to take before it starts the next job.
  enum ExecutorAction: Hashable, Sendable {
    case nothing
    /// The job continues without the track from a time on.
    case loss(Work, CrashedTrackLoss)
    case failure(RenderError)
    /// Two workers died on this job and no track could be blamed; `manners` describes both deaths.
    case diedTwice(Work, manners: [String])
  }

  private struct JobState {
    /// The job with its remaining parts.
    var job: Work
    let place: Int
    var deaths: [WorkerDeath] = []
    /// The job as its worker received it, before parts were finished or moved.
    var given: Work?
  }

  private let slots: Int
  private let retry: CrashRetryMode
  private let halves: Bool
  private var waiting: [JobState]
  private var running: [Int: JobState] = [:]
  private var nextID = 0

  /// Creates a scheduler that starts jobs in order, up to `slots` at once. If `halves` is true, a
  /// slot that is free at the end takes half of the remaining parts of the longest job.
  init(_ jobs: [Work], slots: Int, retry: CrashRetryMode = .alone, halves: Bool = false) {
    waiting = jobs.enumerated().map { JobState(job: $1, place: $0) }
    self.slots = max(1, slots)
    (self.retry, self.halves) = (retry, halves)
  }

  var isDone: Bool { waiting.isEmpty && running.isEmpty }

  private func mustBeAlone(_ entry: JobState) -> Bool { retry == .alone && !entry.deaths.isEmpty }

  /// Returns the next job to start now; nil if a running job has to end first or none is left.
  mutating func next() -> Assignment? {
    guard running.count < slots, !running.values.contains(where: mustBeAlone) else { return nil }
    let ready = waiting.indices.filter { !mustWait(waiting[$0]) }
    // Jobs that have to run alone come last, when the others leave room.
    guard let index = ready.first(where: { !mustBeAlone(waiting[$0]) }) ?? ready.first,
      !mustBeAlone(waiting[index]) || running.isEmpty
    else { return ready.isEmpty ? half() : nil }
    return begin(waiting.remove(at: index))
  }

  private mutating func begin(_ entry: JobState, from shortened: ShortenedJob? = nil) -> Assignment
  {
    nextID += 1
    running[nextID] = entry
    running[nextID]?.given = entry.job
    return Assignment(id: nextID, job: entry.job, place: entry.place, shortened: shortened)
  }

  /// Splits the running job with the most remaining parts and starts the second half. The part
  /// being made and the next one, which may have started, stay with the running job. Returns `nil`
  /// if fewer than three parts remain or jobs are not to be split.
  private mutating func half() -> Assignment? {
    let longest = running.max { first, second in
      (first.value.job.parts?.count ?? 0, first.key) < (
        second.value.job.parts?.count ?? 0, second.key
      )
    }
    guard halves, let (id, entry) = longest, let parts = entry.job.parts, parts.count >= 3,
      let given = entry.given
    else { return nil }
    let end = parts.upperBound - (parts.count - 1) / 2
    running[id]?.job = entry.job.part(parts.lowerBound..<end)
    let rest = JobState(job: entry.job.part(end..<parts.upperBound), place: entry.place)
    return begin(rest, from: ShortenedJob(job: given, end: end))
  }

  /// True if a job that is waiting or running has to be done first.
  private func mustWait(_ entry: JobState) -> Bool {
    waiting.contains { entry.job.follows($0.job) }
      || running.values.contains { entry.job.follows($0.job) }
  }

  /// Marks a part of a job as finished, so that it is not made again.
  mutating func finished(part: Int, of id: Int) {
    guard let entry = running[id], let parts = entry.job.parts, parts.contains(part)
    else { return }
    running[id]?.job = entry.job.part((part + 1)..<parts.upperBound)
    // Earlier deaths were in an earlier part.
    running[id]?.deaths = []
  }

  /// Marks a job as ended and returns the action that follows.
  mutating func ended(_ id: Int, _ end: JobOutcome) -> ExecutorAction {
    guard let entry = running.removeValue(forKey: id) else { return .nothing }
    switch end {
    case .finished: return .nothing
    // A canceled render stops using its scheduler, so something outside the render stopped the
    // worker.
    case .stopped: return died(entry, WorkerDeath(manner: "stopped from elsewhere"))
    case .failed(let error): return .failure(error)
    case .died(let death): return died(entry, death)
    }
  }

  private mutating func died(_ entry: JobState, _ death: WorkerDeath) -> ExecutorAction {
    if !entry.job.several.isEmpty {
      // Run the jobs one by one to see which of them fails. Finished parts are not made again.
      waiting += entry.job.several.map { JobState(job: $0, place: entry.place) }
      return .nothing
    }
    var entry = entry
    // All parts were finished; only the final message was missing.
    if entry.job.parts?.isEmpty == true { return .nothing }
    if retry == .alone, let parts = entry.job.parts, let first = parts.first {
      if parts.count > 1 {
        let rest = entry.job.part((first + 1)..<parts.upperBound)
        waiting.append(JobState(job: rest, place: entry.place))
      }
      entry.job = entry.job.part(first..<(first + 1))
    }
    let earlier = entry.deaths
    entry.deaths.append(death)
    if let blame = death.culprit, earlier.contains(where: { $0.culprit?.track == blame.track }) {
      waiting.append(JobState(job: entry.job, place: entry.place))
      let part = entry.job.parts?.first.map { entry.job.part($0..<($0 + 1)) }
      return .loss(
        part ?? entry.job,
        CrashedTrackLoss(track: blame.track, time: blame.time, manner: death.manner))
    }
    guard death.culprit != nil || earlier.allSatisfy({ $0.culprit != nil }) else {
      return .diedTwice(entry.job, manners: [earlier.last?.manner ?? death.manner, death.manner])
    }
    waiting.append(entry)
    return .nothing
  }
}

extension WorkerDeath {
  /// The recording to blame: the worker was probing or decoding it.
  fileprivate var culprit: CrashNote.CrashSite? {
    blame.flatMap { $0.phase == .decoding || $0.phase == .probing ? $0 : nil }
  }
}
