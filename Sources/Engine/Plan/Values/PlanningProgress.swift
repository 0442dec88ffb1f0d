package import TesseraJobs
package import TesseraSystem

/// How far planning has come: what is done of the recordings that have to be read for it.
public struct PlanningProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: String, Hashable, Sendable, Codable {
    /// An archive is unpacked.
    case unpacking
    /// Files are read.
    case reading
    /// Voices are decoded, for the active speaker and how loud everyone is.
    case listening
    /// Faces are looked for.
    case framing
    /// Recordings are compared, to lay them over each other.
    case aligning
    /// Programs write down what is said.
    case transcribing
    /// The mix is measured.
    case measuring
    /// Single frames are drawn.
    case drawing
  }

  /// What is being done.
  public var phase: Phase
  /// How many of them are done.
  public var done: Int
  /// How many there are; at least one.
  public var count: Int

  /// So many of `count` are done in `phase`.
  package init(phase: Phase, done: Int, count: Int) {
    (self.phase, self.done, self.count) = (phase, done, count)
  }
}

extension TaskPool {
  /// Threads of this process, or processes that run `program`, who tell `progress` how far planning
  /// is.
  package init(
    _ program: WorkerProgram?, cancellation: Cancellation,
    planning progress: (@Sendable (PlanningProgress) -> Void)?
  ) {
    self.init(program, cancellation: cancellation) { tasks in
      guard let phase = PlanningProgress.Phase(rawValue: tasks.phase) else { return }
      progress?(PlanningProgress(phase: phase, done: tasks.done, count: tasks.count))
    }
  }
}
