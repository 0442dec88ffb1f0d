import TesseraJobs

/// The result of one job of a batch.
public struct BatchOutcome: Codable, Sendable {
  /// The job's id.
  public var id: String
  /// The exit code of the job's last attempt.
  public var exit: Int32
  /// The files and folders that the job made; empty if it failed.
  public var outputs: [String]
  /// The duration of the call in seconds.
  public var duration: Double?
  /// The wall-clock time of the last attempt in seconds. A failed job's process may report none:
  /// then the time since it was started.
  public var elapsed: Double?
  /// The processor time of the last attempt in seconds, by stage: planning, pictures, sound,
  /// joining.
  public var cpu: [String: Double]?
  /// The total size of the job's outputs in bytes.
  public var bytes: Int64?
  /// The number of losses, by loss code.
  public var losses: [String: Int]?
  /// The number of attempts; 0 if the outputs were already complete.
  public var attempts: Int
  /// The error message of a failed job.
  public var error: String?
  /// The digest of the inputs, options and build that the output was made from; `nil` for a failed
  /// job.
  package var madeFrom: String?

  private enum CodingKeys: String, CodingKey {
    case id, exit, outputs, duration, elapsed, cpu, bytes, losses, attempts, error
    case madeFrom = "made-from"
  }

  /// Encodes all keys; a missing value becomes `null`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(exit, forKey: .exit)
    try values.encode(outputs, forKey: .outputs)
    try values.encode(duration, forKey: .duration)
    try values.encode(elapsed, forKey: .elapsed)
    try values.encode(cpu, forKey: .cpu)
    try values.encode(bytes, forKey: .bytes)
    try values.encode(losses, forKey: .losses)
    try values.encode(attempts, forKey: .attempts)
    try values.encode(error, forKey: .error)
    try values.encode(madeFrom, forKey: .madeFrom)
  }

  /// The kind of a job's outcome.
  public enum Kind: String, CaseIterable, Sendable {
    /// The job was rendered without losses.
    case finished
    /// The job was rendered, but parts of the call are missing.
    case losses
    /// The job was skipped: its outputs already match its inputs and options.
    case skipped
    /// The job failed and made no output.
    case failed
  }

  /// The kind of outcome, derived from ``exit`` and ``attempts``.
  public var kind: Kind {
    switch exit {
    case _ where attempts == 0: .skipped
    case 0: .finished
    case ExitStatus.renderedWithLosses.rawValue: .losses
    default: .failed
    }
  }

  /// True if the output lacks parts of the call, by the exit code.
  package var hasLosses: Bool { exit == ExitStatus.renderedWithLosses.rawValue }
}
