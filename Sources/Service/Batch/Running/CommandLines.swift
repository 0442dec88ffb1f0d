// The JSON objects that the command writes to standard error, one per line, with `--progress=json`.

/// The last JSON line of a command: its result.
package struct CommandResult: Codable, Sendable {
  private var type = "result"
  package var phase = ""
  package var exit: Int32
  /// The path of the main output; `nil` if none was made.
  package var output: String?
  /// The paths of further outputs; `nil` if none were requested.
  package var outputs: [String]?
  /// The duration of the main output in seconds.
  package var duration: Double?
  /// The total size of all outputs in bytes.
  package var bytes: Int64?
  /// The wall-clock time of the command in seconds.
  package var elapsed: Double?
  package var recordingsWithLosses: Int?
  /// The number of losses, by loss code.
  package var losses: [String: Int]?
  /// The processor time in seconds, by stage.
  package var processorSeconds: [String: Double]?
  /// The error message if no output was made.
  package var error: String?

  /// Creates a result with the given exit code.
  package init(exit: Int32) { self.exit = exit }

  /// The paths of all outputs; `nil` if no main output was made.
  package var made: [String]? { output.map { [$0] + (outputs ?? []) } }
}

/// A JSON line with a message for the user.
package struct CommandMessage: Codable, Sendable {
  private var type = "message"
  private var phase: String
  private var job: String?
  /// The severity: `error`, `warning` or `note`.
  package let level: String
  package let message: String

  /// Creates a message of the command's current `phase`. `job` is the id of the batch job that the
  /// message is about; `nil` outside a batch.
  package init(phase: String, job: String?, level: String, message: String) {
    (self.phase, self.job) = (phase, job)
    (self.level, self.message) = (level, message)
  }
}
