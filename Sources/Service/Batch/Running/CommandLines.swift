// What the command writes to its standard error, an object a line, where it is asked for JSON.

/// The last line: how it ended.
package struct CommandResult: Codable, Sendable {
  private var type = "result"
  package var phase = ""
  /// The exit code.
  package var exit: Int32
  /// The file that was made.
  package var output: String?
  /// What else was made; nil where nothing else was asked for.
  package var outputs: [String]?
  /// How long it is, in seconds.
  package var duration: Double?
  /// The size of all that was made.
  package var bytes: Int64?
  /// Seconds that it took.
  package var elapsed: Double?
  /// How many recordings lost something.
  package var recordingsWithLosses: Int?
  /// How often something was lost, by code.
  package var losses: [String: Int]?
  /// Seconds of processor time, by stage.
  package var processorSeconds: [String: Double]?
  /// Why no file was made.
  package var error: String?

  /// The end with that code.
  package init(exit: Int32) { self.exit = exit }

  /// All that was made; nil where that is not known.
  package var made: [String]? { output.map { [$0] + (outputs ?? []) } }
}

/// A sentence.
package struct CommandMessage: Codable, Sendable {
  private var type = "message"
  private var phase: String
  private var job: String?
  /// How bad it is: error, warning, note.
  package let level: String
  /// The sentence.
  package let message: String

  /// `message`, said while the command was in `phase`; one about a `job` of a batch says so.
  package init(phase: String, job: String?, level: String, message: String) {
    (self.phase, self.job) = (phase, job)
    (self.level, self.message) = (level, message)
  }
}
