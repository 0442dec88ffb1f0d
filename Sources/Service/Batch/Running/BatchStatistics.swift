import Foundation

/// The totals of a batch so far, for its progress line, metrics and summary.
package struct BatchStatistics: Sendable {
  /// The total number of jobs.
  package let count: Int
  /// The number of ended jobs, by kind of outcome.
  package private(set) var ended: [BatchOutcome.Kind: Int] = [:]
  /// The time at which the last job of each kind ended, in seconds since 1970.
  package private(set) var lastEnds: [BatchOutcome.Kind: Double] = [:]
  /// The number of failed jobs, by exit code.
  package private(set) var failures: [Int32: Int] = [:]
  /// True if any finished job has losses, including jobs that were skipped.
  package private(set) var hasLosses = false
  /// The total duration of the rendered calls in seconds.
  package private(set) var callSeconds = 0.0
  /// The total size of the rendered outputs in bytes.
  package private(set) var bytes: Int64 = 0
  /// The processor time of all jobs in seconds, by stage.
  package private(set) var cpu: [String: Double] = [:]
  /// The number of losses in all jobs, by loss code.
  package private(set) var losses: [String: Int] = [:]
  package var retries = 0
  /// The progress of running jobs, `0...1`, by the order in which they were started.
  package var fractions: [Int: Double] = [:]
  /// Summary lines about jobs that failed or have losses, at most 50.
  package private(set) var remarks: [String] = []
  private let start = ContinuousClock.now

  private static let mostRemarks = 50

  package init(count: Int) { self.count = count }

  /// Adds the outcome of an ended job.
  package mutating func add(_ outcome: BatchOutcome) {
    ended[outcome.kind, default: 0] += 1
    lastEnds[outcome.kind] = Date().timeIntervalSince1970
    if outcome.kind == .failed { failures[outcome.exit, default: 0] += 1 }
    hasLosses = hasLosses || outcome.hasLosses
    if outcome.kind == .finished || outcome.kind == .losses {
      callSeconds += outcome.duration ?? 0
      bytes += outcome.bytes ?? 0
    }
    cpu.merge(outcome.cpu ?? [:], uniquingKeysWith: +)
    losses.merge(outcome.losses ?? [:], uniquingKeysWith: +)
    guard outcome.kind == .failed || outcome.kind == .losses, remarks.count < Self.mostRemarks
    else { return }
    let lost = outcome.losses?.sorted { $0.key < $1.key }.map { "\($1) x \($0)" } ?? []
    remarks.append(
      "\(outcome.id)  exit \(outcome.exit)  \(outcome.error ?? lost.joined(separator: ", "))")
  }

  /// The number of ended jobs.
  package var done: Int { ended.values.reduce(0, +) }
  /// The number of ended jobs that were not skipped.
  private var rendered: Double { Double(done - (ended[.skipped] ?? 0)) }
  /// The number of failed jobs.
  package var failed: Int { ended[.failed] ?? 0 }
  /// The time since the start of the batch in seconds.
  package var elapsed: Double { (.now - start) / .seconds(1) }
  /// The speed of the batch: seconds of call rendered per second.
  package var speed: Double { elapsed > 0 ? callSeconds / elapsed : 0 }
  /// The estimated time until the last job ends, in seconds, from the average time of the jobs so
  /// far; `nil` before any job has progressed.
  package var remaining: Double? {
    let made = rendered + fractions.values.reduce(0, +)
    guard made > 0 else { return done == count ? 0 : nil }
    return max(0, Double(count - done) - fractions.values.reduce(0, +)) * elapsed / made
  }
}
