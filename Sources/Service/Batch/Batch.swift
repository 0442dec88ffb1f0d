import TesseraDelivery
import TesseraJobs
import TesseraSystem
public import TesseraTimeline

/// Many calls that are rendered on this machine: every processor busy, and nothing done twice, as an
/// output says what it was made from.
///
///     let night = try await Tessera.calls(below: "s3://recordings/night/").map {
///       BatchJob($0.place, to: "s3://videos/\($0.name).mp4")
///     }
///     for try await outcome in Batch(night, by: "/usr/bin/tessera").outcomes() { … }
///
/// Each job is a process of its own, so that one that dies harms no other.
public struct Batch: Sendable {
  /// The jobs; those of a higher priority begin first, among equals in this order.
  public var jobs: [BatchJob]
  /// The path of `tessera`, whose processes do them.
  public var program: String
  /// How many processors are kept busy, 1...1024; nil is all.
  public var processors: Int?
  /// The bytes of memory that all jobs take together; nil is four fifths of what is free.
  public var memoryLimit: Int?
  /// How often a job is tried again that failed for a reason that may pass, or crashed.
  public var retries = 0
  /// The longest that a job may take; nil is as long as it takes.
  public var jobTimeout: MediaTime?
  /// No more jobs are begun once that many have failed; nil is any number.
  public var maxFailures: Int?

  /// `jobs`, done by processes of `program`.
  public init(_ jobs: [BatchJob], by program: String) {
    (self.jobs, self.program) = (jobs, program)
  }

  /// How each job ends, in the order in which they do. Jobs begin with the first element that is
  /// asked for. A task that is canceled stops them, and gets `CancellationError`; the same batch
  /// again does what is missing.
  public func outcomes() -> BatchOutcomes { BatchOutcomes(batch: self) }

  private func rules() throws(RenderError) -> BatchEngine.Rules {
    if let processors, !(1...1024).contains(processors) {
      throw RenderError(.usage, "a batch keeps 1 to 1024 processors busy, not \(processors).")
    }
    var rules = BatchEngine.Rules(program: program, slots: processors, memory: memoryLimit)
    (rules.retries, rules.timeout, rules.maxFailures) = (retries, jobTimeout, maxFailures)
    return rules
  }

  /// The jobs in the order in which they begin.
  ///
  /// - Throws: where two have the same id, or one would write over the files of another.
  private func ordered() throws(RenderError) -> [BatchJob] {
    var (ids, files) = (Set<String>(), try JobFiles())
    var numbered = jobs
    for index in numbered.indices {
      numbered[index].number = index
      let job = numbered[index]
      guard ids.insert(job.id).inserted else {
        throw RenderError(.usage, "two jobs have the id \"\(job.id)\": give each one of its own.")
      }
      try job.request.requireSense()
      if let sentence = files.add(job, place: job.id).first {
        throw RenderError(.usage, "the job \"\(job.id)\": \(sentence)")
      }
    }
    if let (place, sentence) = files.mixed.first {
      throw RenderError(.usage, "the job \"\(place)\": \(sentence)")
    }
    return Self.ordered(numbered)
  }

  /// Numbered jobs in the order in which they begin.
  static func ordered(_ jobs: [BatchJob]) -> [BatchJob] {
    jobs.sorted { ($1.priority, $0.number) < ($0.priority, $1.number) }
  }

  /// Does all jobs, on this thread.
  fileprivate func run(
    _ cancellation: Cancellation, _ tell: @escaping (BatchOutcome) -> Void
  ) throws {
    let jobs = try ordered()
    var rest = jobs[...]
    try BatchEngine(
      JobQueue { rest.popFirst() }, count: jobs.count, try rules(), cancellation
    ) { event in
      if case .ended(let outcome, _) = event { tell(outcome) }
    }.run()
    if cancellation.isCancelled { throw RenderError.stopped(cancellation) }
  }
}

/// How the jobs of a batch end.
public struct BatchOutcomes: AsyncSequence, Sendable {
  public typealias Element = BatchOutcome

  let batch: Batch

  /// Begins the jobs.
  public func makeAsyncIterator() -> Iterator { Iterator(batch) }

  /// The jobs of a batch, done once.
  public struct Iterator: AsyncIteratorProtocol {
    private var outcomes: WorkUpdates<BatchOutcome>

    fileprivate init(_ batch: Batch) {
      outcomes = WorkUpdates(name: "batch") { cancellation, tell throws(RenderError) in
        do {
          try batch.run(cancellation, tell)
        } catch {
          throw RenderError(delivering: error)
        }
      }
    }

    /// The next one; nil after the last one.
    ///
    /// - Throws: ``RenderError`` where the batch cannot be done, and `CancellationError` once the
    ///   task was canceled and all work for it has ended.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> BatchOutcome? {
      try await outcomes.next(isolation: actor)
    }
  }
}
