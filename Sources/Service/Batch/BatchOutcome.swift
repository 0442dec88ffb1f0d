import TesseraJobs

/// How a job of a batch ended.
public struct BatchOutcome: Codable, Sendable {
  /// The job.
  public var id: String
  /// The exit code of its last attempt.
  public var exit: Int32
  /// The files and folders that it made; empty where it failed.
  public var outputs: [String]
  /// How long the call is, in seconds.
  public var duration: Double?
  /// The seconds that the last attempt took; of a job that failed, those since it was begun.
  public var elapsed: Double?
  /// Seconds of processor time of its last attempt, by stage: planning, pictures, sound, joining.
  public var cpu: [String: Double]?
  /// The size of all that it made.
  public var bytes: Int64?
  /// How often something was lost, by code.
  public var losses: [String: Int]?
  /// How often it was begun; 0 where it was finished before.
  public var attempts: Int
  /// Why no output was made.
  public var error: String?
  /// What its output is made from.
  package var madeFrom: String?

  private enum CodingKeys: String, CodingKey {
    case id, exit, outputs, duration, elapsed, cpu, bytes, losses, attempts, error
    case madeFrom = "made-from"
  }

  /// Writes all keys, also those without a value, as null.
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

  /// What became of it.
  public enum Kind: String, CaseIterable, Sendable {
    /// It was rendered.
    case finished
    /// It was rendered, and something of the call is missing.
    case losses
    /// An earlier batch had rendered it from the same recordings, in the same way.
    case skipped
    /// No output was made.
    case failed
  }

  /// What became of it.
  public var kind: Kind {
    switch exit {
    case _ where attempts == 0: .skipped
    case 0: .finished
    case ExitStatus.renderedWithLosses.rawValue: .losses
    default: .failed
    }
  }

  /// Whether something of the call is missing.
  package var hasLosses: Bool { exit == ExitStatus.renderedWithLosses.rawValue }
}
