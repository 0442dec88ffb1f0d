import Foundation
import TesseraJobs

/// The jobs of a list that are still to be begun, in their order; those of a higher priority first.
struct JobQueue {
  /// A job, and how often it was begun.
  struct Work {
    var job: BatchJob
    var attempts = 0
    /// What it is made from, where that is known.
    var digest: String?
  }

  private let list: JobList
  private let job: (JobLines.Entry) -> BatchJob?
  private var lines: JobLines
  /// The priorities whose jobs are still to come; the list is read once for each.
  private var priorities: [Int] = []
  private var again: [(due: ContinuousClock.Instant, work: Work)] = []

  /// The jobs that `job` makes of the entries of `list`; nil for one that is not meant.
  init(_ list: JobList, job: @escaping (JobLines.Entry) -> BatchJob?) throws(RenderError) {
    (self.list, self.job) = (list, job)
    lines = try JobLines(list)
  }

  /// Begins at the first of the jobs, which have these priorities.
  mutating func begin(_ priorities: Set<Int>) throws(RenderError) {
    self.priorities = priorities.sorted(by: >)
    lines = try JobLines(list)
  }

  /// Whether nothing is left, now or later.
  var isEmpty: Bool { priorities.isEmpty && again.isEmpty }

  /// The next job; nil where none is due.
  mutating func next() -> Work? {
    if let place = again.firstIndex(where: { $0.due <= .now }) {
      return again.remove(at: place).work
    }
    while let priority = priorities.first {
      while let entry = lines.next() {
        if let job = job(entry), job.priority == priority { return Work(job: job) }
      }
      priorities.removeFirst()
      guard !priorities.isEmpty, let lines = try? JobLines(list) else {
        priorities = []
        return nil
      }
      self.lines = lines
    }
    return nil
  }

  /// Puts a job back, which is due after a while.
  mutating func put(_ work: Work, after pause: Duration) { again.append((.now + pause, work)) }

  /// The seconds before a job that was begun so often is begun again: 1, 2, 4, up to 60.
  static func pause(after attempts: Int) -> Int { min(60, 1 << min(6, attempts - 1)) }
}
