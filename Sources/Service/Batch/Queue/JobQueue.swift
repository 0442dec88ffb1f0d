/// The jobs that are still to be begun, in their order, and those that are to be tried again.
package struct JobQueue: ~Copyable {
  /// A job, and how often it was begun.
  package struct Work: Sendable {
    package var job: BatchJob
    var attempts = 0
    /// What it is made from, where that is known.
    var digest: String?
  }

  private let first: () -> BatchJob?
  private var isAtEnd = false
  private var again: [(due: ContinuousClock.Instant, work: Work)] = []

  /// The jobs that `first` returns, in that order, until it returns nil.
  package init(_ first: @escaping () -> BatchJob?) { self.first = first }

  /// Whether nothing is left, now or later.
  var isEmpty: Bool { isAtEnd && again.isEmpty }

  /// The next job; nil where none is due.
  mutating func next() -> Work? {
    if let place = again.firstIndex(where: { $0.due <= .now }) {
      return again.remove(at: place).work
    }
    guard !isAtEnd, let job = first() else {
      isAtEnd = true
      return nil
    }
    return Work(job: job)
  }

  /// Puts a job back, which is due after a while.
  mutating func put(_ work: Work, after pause: Duration) { again.append((.now + pause, work)) }

  /// The seconds before a job that was begun so often is begun again: 1, 2, 4, up to 60.
  static func pause(after attempts: Int) -> Int { min(60, 1 << min(6, attempts - 1)) }
}
