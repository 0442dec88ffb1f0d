import TesseraSystem

/// Which jobs wait, which run, and what follows when a worker dies. A value without a clock: what
/// happens is reported to it.
///
/// A worker that dies is replaced. The segment that it was busy with is tried again alone, so that
/// memory which others took is free. A track is blamed where two attempts died while decoding it;
/// the segment is then made without it from there on. What dies twice and blames nobody fails.
struct JobBoard {
  /// A job that was given out.
  struct Assignment: Hashable, Sendable {
    let id: Int
    let job: RenderJob
  }

  /// What has to be done before the next job is given out.
  enum Consequence: Hashable, Sendable {
    case nothing
    /// The job is made without this track from a packet on.
    case loss(RenderJob, CrashLoss)
    case failure(RenderError)
  }

  private struct Entry {
    var job: RenderJob
    var deaths: [Death] = []
    var mustBeAlone: Bool { !deaths.isEmpty }
  }

  private let slots: Int
  private let describe: @Sendable (RenderJob) -> String
  private var waiting: [Entry]
  private var running: [Int: Entry] = [:]
  private var nextID = 0

  /// The jobs are given out in their order, as many at once as there are slots; errors call them
  /// what `describe` says.
  init(
    _ jobs: [RenderJob], slots: Int,
    describe: @escaping @Sendable (RenderJob) -> String = { $0.description }
  ) {
    waiting = jobs.map { Entry(job: $0) }
    self.slots = max(1, slots)
    self.describe = describe
  }

  /// Whether everything is done.
  var isDone: Bool { waiting.isEmpty && running.isEmpty }

  /// The jobs that run.
  var runningJobs: [RenderJob] { running.keys.sorted().compactMap { running[$0]?.job } }

  /// The next job to begin now; nil where one that runs has to end first, or none is left.
  mutating func next() -> Assignment? {
    guard running.count < slots, !running.values.contains(where: \.mustBeAlone) else { return nil }
    // Those that have to be alone come last, when the others leave room.
    guard let index = waiting.firstIndex(where: { !$0.mustBeAlone }) ?? waiting.indices.first,
      !waiting[index].mustBeAlone || running.isEmpty
    else { return nil }
    let entry = waiting.remove(at: index)
    nextID += 1
    running[nextID] = entry
    return Assignment(id: nextID, job: entry.job)
  }

  /// Notes that a segment of a job is finished: it need not be made again.
  mutating func finished(segment: Int, of id: Int) {
    guard let entry = running[id], let numbers = entry.job.numbers, numbers.contains(segment)
    else { return }
    running[id]?.job = entry.job.part((segment + 1)..<numbers.upperBound)
    // Whoever died before did so in an earlier segment.
    running[id]?.deaths = []
  }

  /// Notes that a job has ended.
  mutating func ended(_ id: Int, _ end: JobEnd) -> Consequence {
    guard let entry = running.removeValue(forKey: id) else { return .nothing }
    switch end {
    case .finished: return .nothing
    // Whoever stops a render asks no board any more: this one was stopped from elsewhere.
    case .stopped: return died(entry, Death(manner: "stopped from elsewhere"))
    case .failed(let error): return .failure(error)
    case .died(let death): return died(entry, death)
    }
  }

  private mutating func died(_ entry: Entry, _ death: Death) -> Consequence {
    var entry = entry
    if let numbers = entry.job.numbers {
      // All were finished: only the last word was missing.
      guard let first = numbers.first else { return .nothing }
      if numbers.count > 1 {
        waiting.append(Entry(job: entry.job.part((first + 1)..<numbers.upperBound)))
      }
      entry.job = entry.job.part(first..<(first + 1))
    }
    let earlier = entry.deaths
    entry.deaths.append(death)
    if death.isBlamed, let blame = death.blame,
      earlier.contains(where: { $0.isBlamed && $0.blame?.track == blame.track })
    {
      waiting.append(Entry(job: entry.job))
      return .loss(
        entry.job, CrashLoss(track: blame.track, time: blame.time, manner: death.manner))
    }
    guard death.isBlamed || earlier.allSatisfy(\.isBlamed) else {
      return .failure(
        RenderError(
          .failure,
          "a worker died twice at \(describe(entry.job)) (\(earlier.last?.manner ?? death.manner), then "
            + "\(death.manner)); if memory ran out, give --jobs or --memory a smaller number. "
            + "What is finished is kept: the same command goes on from there."))
    }
    waiting.append(entry)
    return .nothing
  }
}

extension Death {
  /// Whether a recording is to blame: the worker was reading or decoding it.
  var isBlamed: Bool { blame?.phase == .decoding || blame?.phase == .probing }
}
