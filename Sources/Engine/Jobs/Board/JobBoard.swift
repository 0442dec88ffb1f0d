import TesseraSystem

/// Which jobs wait, which run, and what follows when a worker dies. A value without a clock: what
/// happens is reported to it.
///
/// A worker that dies is replaced. A track is blamed where two attempts died while decoding it; the
/// part that was being made is then made without it from there on. What dies twice and blames
/// nobody fails.
package struct JobBoard<Work: Job> {
  /// How a job is tried again whose worker died.
  enum Retry {
    /// The part that it was busy with alone, while nothing else runs, so that memory which others
    /// took is free; the rest of the job as one of its own.
    case alone
    /// All that is left of it, beside the others.
    case whole
  }

  /// A job that was given out.
  struct Assignment: Hashable, Sendable {
    let id: Int
    let job: Work
    /// Its place among the jobs as they were asked for.
    let place: Int
    /// The job that it was taken from, as it was given out, which is to end before that part; nil as a rule.
    var shortened: Shortened?
  }

  /// A job of which the last parts are left to another one.
  struct Shortened: Hashable, Sendable {
    let job: Work
    let end: Int
  }

  /// What has to be done before the next job is given out.
  enum Consequence: Hashable, Sendable {
    case nothing
    /// The job is made without this track from a packet on.
    case loss(Work, CrashLoss)
    case failure(RenderError)
    /// Workers died at the job in these manners, and there is nothing to blame.
    case diedTwice(Work, manners: [String])
  }

  private struct Entry {
    /// The parts that are left of it.
    var job: Work
    let place: Int
    var deaths: [Death] = []
    /// The job as it was given out.
    var given: Work?
  }

  private let slots: Int
  private let retry: Retry
  private let halves: Bool
  private var waiting: [Entry]
  private var running: [Int: Entry] = [:]
  private var nextID = 0

  /// The jobs are given out in their order, as many at once as there are slots. Where it `halves`, a slot that is free
  /// at the end gets half of what is left of the longest job.
  init(_ jobs: [Work], slots: Int, retry: Retry = .alone, halves: Bool = false) {
    waiting = jobs.enumerated().map { Entry(job: $1, place: $0) }
    self.slots = max(1, slots)
    (self.retry, self.halves) = (retry, halves)
  }

  /// Whether everything is done.
  var isDone: Bool { waiting.isEmpty && running.isEmpty }

  private func mustBeAlone(_ entry: Entry) -> Bool { retry == .alone && !entry.deaths.isEmpty }

  /// The next job to begin now; nil where one that runs has to end first, or none is left.
  mutating func next() -> Assignment? {
    guard running.count < slots, !running.values.contains(where: mustBeAlone) else { return nil }
    let ready = waiting.indices.filter { !mustWait(waiting[$0]) }
    // Those that have to be alone come last, when the others leave room.
    guard let index = ready.first(where: { !mustBeAlone(waiting[$0]) }) ?? ready.first,
      !mustBeAlone(waiting[index]) || running.isEmpty
    else { return ready.isEmpty ? half() : nil }
    return begin(waiting.remove(at: index))
  }

  private mutating func begin(_ entry: Entry, from shortened: Shortened? = nil) -> Assignment {
    nextID += 1
    running[nextID] = entry
    running[nextID]?.given = entry.job
    return Assignment(id: nextID, job: entry.job, place: entry.place, shortened: shortened)
  }

  /// Half of what is left of the running job that has most parts left, without the one that is being made and the one
  /// that may have been begun since; nil where there is nothing to take.
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
    let rest = Entry(job: entry.job.part(end..<parts.upperBound), place: entry.place)
    return begin(rest, from: Shortened(job: given, end: end))
  }

  /// True if another job has to be done before.
  private func mustWait(_ entry: Entry) -> Bool {
    waiting.contains { entry.job.follows($0.job) }
      || running.values.contains { entry.job.follows($0.job) }
  }

  /// Notes that a part of a job is finished: it need not be made again.
  mutating func finished(part: Int, of id: Int) {
    guard let entry = running[id], let parts = entry.job.parts, parts.contains(part)
    else { return }
    running[id]?.job = entry.job.part((part + 1)..<parts.upperBound)
    // A process that died before did so in an earlier part.
    running[id]?.deaths = []
  }

  /// Notes that a job has ended.
  mutating func ended(_ id: Int, _ end: JobEnd) -> Consequence {
    guard let entry = running.removeValue(forKey: id) else { return .nothing }
    switch end {
    case .finished: return .nothing
    // A process that stops a render itself asks no board any more: this one was stopped from elsewhere.
    case .stopped: return died(entry, Death(manner: "stopped from elsewhere"))
    case .failed(let error): return .failure(error)
    case .died(let death): return died(entry, death)
    }
  }

  private mutating func died(_ entry: Entry, _ death: Death) -> Consequence {
    if !entry.job.several.isEmpty {
      // Each by itself shows which it was; what is finished is not made again.
      waiting += entry.job.several.map { Entry(job: $0, place: entry.place) }
      return .nothing
    }
    var entry = entry
    // All parts were finished: only the last word was missing.
    if entry.job.parts?.isEmpty == true { return .nothing }
    if retry == .alone, let parts = entry.job.parts, let first = parts.first {
      if parts.count > 1 {
        let rest = entry.job.part((first + 1)..<parts.upperBound)
        waiting.append(Entry(job: rest, place: entry.place))
      }
      entry.job = entry.job.part(first..<(first + 1))
    }
    let earlier = entry.deaths
    entry.deaths.append(death)
    if let blame = death.culprit, earlier.contains(where: { $0.culprit?.track == blame.track }) {
      waiting.append(Entry(job: entry.job, place: entry.place))
      let part = entry.job.parts?.first.map { entry.job.part($0..<($0 + 1)) }
      return .loss(
        part ?? entry.job,
        CrashLoss(track: blame.track, time: blame.time, manner: death.manner))
    }
    guard death.culprit != nil || earlier.allSatisfy({ $0.culprit != nil }) else {
      return .diedTwice(entry.job, manners: [earlier.last?.manner ?? death.manner, death.manner])
    }
    waiting.append(entry)
    return .nothing
  }
}

extension Death {
  /// The recording that is to blame: the worker was reading or decoding it.
  fileprivate var culprit: CrashNote.Blame? {
    blame.flatMap { $0.phase == .decoding || $0.phase == .probing ? $0 : nil }
  }
}
