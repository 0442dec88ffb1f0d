import TesseraDelivery
import TesseraJobs
import TesseraMessages
import TesseraSystem
public import TesseraTimeline

/// Renders many calls on this machine and keeps every processor busy.
///
/// A job whose output was already made from the same inputs and options is skipped: the output
/// stores the digest of what it was made from.
///
///     let night = try await Tessera.calls(below: "s3://recordings/night/").map {
///       BatchJob($0.location, to: "s3://videos/\($0.name).mp4")
///     }
///     for try await outcome in Batch(night, by: "/usr/bin/tessera").outcomes() { … }
///
/// Each job runs in its own process, so that a crash harms no other job.
public struct Batch: Sendable {
  /// The jobs to render. Jobs of a higher priority start first; jobs of equal priority start in
  /// this order.
  public var jobs: [BatchJob]
  /// The path of the `tessera` program whose processes render the jobs.
  public var program: String
  /// The number of processors to keep busy, `1...1024`; `nil` for all.
  public var processors: Int?
  /// The memory limit of all jobs together, in bytes; `nil` for four fifths of the free memory.
  public var memoryLimit: Int?
  /// The maximum number of retries of a job that crashed or failed with a temporary error (default:
  /// 0).
  public var retries = 0
  /// The timeout of a job; `nil` for none.
  public var jobTimeout: MediaTime?
  /// The number of failed jobs after which no further job starts; `nil` for no limit.
  public var maxFailures: Int?

  /// Creates a batch of `jobs` that processes of `program` render.
  public init(_ jobs: [BatchJob], by program: String) {
    (self.jobs, self.program) = (jobs, program)
  }

  /// Returns the outcome of each job, in the order in which the jobs end.
  ///
  /// The jobs start when the first element is requested. Canceling the task stops the jobs and
  /// throws `CancellationError`; running the same batch again renders only what is missing.
  public func outcomes() -> BatchOutcomes { BatchOutcomes(batch: self) }

  private func rules() throws(RenderError) -> BatchEngine.Settings {
    if let processors, !(1...1024).contains(processors) {
      throw RenderError(.usage, "a batch keeps 1 to 1024 processors busy, not \(processors).")
    }
    var rules = BatchEngine.Settings(program: program, slots: processors, memory: memoryLimit)
    (rules.retries, rules.timeout, rules.maxFailures) = (retries, jobTimeout, maxFailures)
    return rules
  }

  /// Returns the jobs in the order in which they start.
  ///
  /// - Throws: ``RenderError`` if two jobs have the same id, or if one would write over the files
  ///   of another.
  private func ordered() throws(RenderError) -> [BatchJob] {
    var (ids, files) = (Set<String>(), try JobFileConflictDetector())
    var numbered = jobs
    for index in numbered.indices {
      numbered[index].number = index
      let job = numbered[index]
      guard ids.insert(job.id).inserted else {
        throw RenderError(.usage, "two jobs have the id \"\(job.id)\": give each job its own id.")
      }
      try job.request.requireConsistency()
      if let sentence = files.add(job, place: job.id).first {
        throw RenderError(.usage, "the job \"\(job.id)\": \(sentence)")
      }
    }
    if let (place, sentence) = files.mixed.first {
      throw RenderError(.usage, "the job \"\(place)\": \(sentence)")
    }
    return Self.ordered(numbered)
  }

  /// Returns numbered jobs in the order in which they start: by descending priority, then by
  /// number.
  static func ordered(_ jobs: [BatchJob]) -> [BatchJob] {
    jobs.sorted { ($1.priority, $0.number) < ($0.priority, $1.number) }
  }

  /// Runs all jobs and returns when the last has ended. Calls `report` on the calling thread.
  fileprivate func run(
    _ cancellation: Cancellation, _ report: @escaping (BatchOutcome) -> Void
  ) throws {
    let jobs = try ordered()
    var rest = jobs[...]
    try BatchEngine(
      JobQueue { rest.popFirst() }, count: jobs.count, try rules(), cancellation
    ) { event in
      if case .ended(let outcome, _) = event { report(outcome) }
    }.run()
    if cancellation.isCancelled { throw RenderError.stopped(cancellation) }
  }
}

/// The sequence of the outcomes of a batch, in the order in which its jobs end.
public struct BatchOutcomes: AsyncSequence, Sendable {
  public typealias Element = BatchOutcome

  let batch: Batch

  /// Creates an iterator. Each iterator runs the whole batch.
  public func makeAsyncIterator() -> Iterator { Iterator(batch) }

  /// Runs the jobs of a batch once and iterates over their outcomes.
  public struct Iterator: AsyncIteratorProtocol {
    private var outcomes: BackgroundWorkStream<BatchOutcome>

    fileprivate init(_ batch: Batch) {
      outcomes = BackgroundWorkStream(name: "batch") { cancellation, report throws(RenderError) in
        do {
          try batch.run(cancellation, report)
        } catch {
          throw RenderError(delivering: error)
        }
      }
    }

    /// Returns the next job's outcome, or `nil` after the last.
    ///
    /// - Throws: ``RenderError`` if the batch cannot run, and `CancellationError` after the task
    ///   was canceled and all its work has ended.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> BatchOutcome? {
      try await outcomes.next(isolation: actor)
    }
  }
}
