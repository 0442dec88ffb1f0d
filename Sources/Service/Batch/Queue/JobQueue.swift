/// The queue of jobs to start: new jobs in their order, and failed jobs that wait for a retry.
package struct JobQueue: ~Copyable {
  /// A job and the number of its attempts.
  package struct QueuedJob: Sendable {
    package var job: BatchJob
    var attempts = 0
    /// The job's digest; `nil` if it is not known.
    var digest: String?
  }

  private let first: () -> BatchJob?
  private var isAtEnd = false
  private var again: [(due: ContinuousClock.Instant, work: QueuedJob)] = []

  /// Creates a queue of the jobs that `first` returns, until it returns `nil`.
  package init(_ first: @escaping () -> BatchJob?) { self.first = first }

  /// True if no job is left, neither new nor waiting for a retry.
  var isEmpty: Bool { isAtEnd && again.isEmpty }

  /// Returns the next job, or `nil` if none is due. A due retry precedes new jobs.
  mutating func next() -> QueuedJob? {
    if let place = again.firstIndex(where: { $0.due <= .now }) {
      return again.remove(at: place).work
    }
    guard !isAtEnd, let job = first() else {
      isAtEnd = true
      return nil
    }
    return QueuedJob(job: job)
  }

  /// Puts a job back for a retry after `pause`.
  mutating func put(_ work: QueuedJob, after pause: Duration) { again.append((.now + pause, work)) }

  /// Returns the backoff in seconds before the next attempt: 1, 2, 4 and so on, up to 60.
  static func pause(after attempts: Int) -> Int { min(60, 1 << min(6, attempts - 1)) }
}
