import Foundation

/// How a job ended: a line of the results.
struct JobOutcome: Codable, Sendable {
  /// The job.
  var id: String
  /// The exit code of its last attempt.
  var exit: Int32
  /// The files and folders that it made; empty where it failed.
  var outputs: [String]
  /// How long the call is, in seconds.
  var duration: Double?
  /// How long its last attempt took, in seconds.
  var elapsed: Double?
  /// Seconds of processor time of its last attempt, by stage: planning, pictures, sound, joining.
  var cpu: [String: Double]?
  /// The size of all that it made.
  var bytes: Int64?
  /// How often something was lost, by code.
  var losses: [String: Int]?
  /// How often it was begun; 0 where it was finished before.
  var attempts: Int
  /// Why there is no output.
  var error: String?
  /// What its output is made from.
  var madeFrom: String?

  private enum CodingKeys: String, CodingKey {
    case id, exit, outputs, duration, elapsed, cpu, bytes, losses, attempts, error
    case madeFrom = "made-from"
  }

  /// What became of it.
  enum Kind: String, CaseIterable, Sendable {
    case finished, losses, skipped, failed
  }

  /// What became of it.
  var kind: Kind {
    switch exit {
    case _ where attempts == 0: .skipped
    case 0: .finished
    case ExitStatus.renderedWithLosses.rawValue: .losses
    default: .failed
    }
  }

  /// Whether something of the call is missing.
  var hasLosses: Bool { exit == ExitStatus.renderedWithLosses.rawValue }
}
