import Foundation
import TesseraJobs
import TesseraRendering
import TesseraTimeline

/// What all jobs of a batch came to so far.
struct BatchTally {
  /// How many jobs there are.
  let count: Int
  /// How many ended in each way.
  private(set) var ended: [JobOutcome.Kind: Int] = [:]
  /// Whether one that was done, now or before, has losses.
  private(set) var hasLosses = false
  /// Seconds of calls that were rendered.
  private(set) var callSeconds = 0.0
  private(set) var bytes: Int64 = 0
  private(set) var cpu: [String: Double] = [:]
  private(set) var losses: [String: Int] = [:]
  /// How often a job was tried again.
  var retries = 0
  /// The parts that are done of jobs that run.
  var fractions: [Int: Double] = [:]
  /// What is said of jobs at the end.
  private(set) var remarks: [String] = []
  private let start = ContinuousClock.now

  private static let mostRemarks = 50

  init(count: Int) { self.count = count }

  /// Notes how a job ended.
  mutating func add(_ outcome: JobOutcome) {
    ended[outcome.kind, default: 0] += 1
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
  var done: Int { ended.values.reduce(0, +) }
  /// How many of them were rendered.
  private var rendered: Double { Double(done - (ended[.skipped] ?? 0)) }
  var failed: Int { ended[.failed] ?? 0 }
  /// Seconds since the beginning.
  var elapsed: Double { (.now - start) / .seconds(1) }
  /// Hours of call that are rendered in an hour.
  var speed: Double { elapsed > 0 ? callSeconds / elapsed : 0 }
  /// Seconds until all jobs have ended, as those before it did; nil before one has.
  var remaining: Double? {
    let made = rendered + fractions.values.reduce(0, +)
    guard made > 0 else { return done == count ? 0 : nil }
    return max(0, Double(count - done) - fractions.values.reduce(0, +)) * elapsed / made
  }

  /// The exit code of the batch.
  var status: ExitStatus? {
    done < count || failed > 0 ? .someFailed : hasLosses ? .renderedWithLosses : nil
  }

  /// What all came to, as a table, and what went wrong.
  var table: String {
    let time = { (seconds: Double) in
      String(format: "%d:%02d:%02d", Int(seconds) / 3600, Int(seconds) / 60 % 60, Int(seconds) % 60)
    }
    let stages = cpu.sorted { $0.key < $1.key }.map { "\($0) \(time($1))" }
    let rows: [(String, String)] = [
      ("finished", "\(ended[.finished] ?? 0)"), ("with losses", "\(ended[.losses] ?? 0)"),
      ("done before", "\(ended[.skipped] ?? 0)"), ("failed", "\(failed)"),
      ("not begun", "\(max(0, count - done))"),
      ("calls", time(callSeconds)),
      ("took", "\(time(elapsed)) (\(String(format: "%.1f", speed))x)"),
      ("processor", stages.isEmpty ? time(0) : stages.joined(separator: ", ")),
      ("outputs", Summary.bytes(Int(bytes))),
    ]
    let lines = rows.map { $0.0.padding(toLength: 12, withPad: " ", startingAt: 0) + $0.1 }
    return String.lines(lines + (remarks.isEmpty ? [] : [""] + remarks))
  }
}
