import Foundation

/// What all jobs of a batch came to so far.
package struct BatchTally: Sendable {
  /// How many jobs there are.
  package let count: Int
  /// How many ended in each way.
  package private(set) var ended: [BatchOutcome.Kind: Int] = [:]
  /// The end of the last job of each kind, in seconds since 1970.
  package private(set) var lastEnds: [BatchOutcome.Kind: Double] = [:]
  /// The number of jobs that failed, by exit code.
  package private(set) var failures: [Int32: Int] = [:]
  /// Whether one that was done, now or before, has losses.
  package private(set) var hasLosses = false
  /// Seconds of calls that were rendered.
  package private(set) var callSeconds = 0.0
  package private(set) var bytes: Int64 = 0
  package private(set) var cpu: [String: Double] = [:]
  package private(set) var losses: [String: Int] = [:]
  /// How often a job was tried again.
  package var retries = 0
  /// The parts that are done of jobs that run.
  package var fractions: [Int: Double] = [:]
  /// What is said of jobs at the end.
  package private(set) var remarks: [String] = []
  private let start = ContinuousClock.now

  private static let mostRemarks = 50

  package init(count: Int) { self.count = count }

  /// Notes how a job ended.
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

  /// How many jobs have ended.
  package var done: Int { ended.values.reduce(0, +) }
  /// How many of them were rendered.
  private var rendered: Double { Double(done - (ended[.skipped] ?? 0)) }
  package var failed: Int { ended[.failed] ?? 0 }
  /// Seconds since the beginning.
  package var elapsed: Double { (.now - start) / .seconds(1) }
  /// Hours of call that are rendered in an hour.
  package var speed: Double { elapsed > 0 ? callSeconds / elapsed : 0 }
  /// Seconds until all jobs have ended, as those before it did; nil before one has.
  package var remaining: Double? {
    let made = rendered + fractions.values.reduce(0, +)
    guard made > 0 else { return done == count ? 0 : nil }
    return max(0, Double(count - done) - fractions.values.reduce(0, +)) * elapsed / made
  }
}
