package import TesseraJobs
package import TesseraSystem

/// The progress of planning, which reads the recordings in several phases.
public struct PlanningProgress: Hashable, Sendable {
  /// A phase of planning, or of drawing stills.
  public enum Phase: String, Hashable, Sendable, Codable {
    /// Unpacks an archive.
    case unpacking
    /// Reads files and their packet indexes.
    case reading
    /// Decodes voices for active speaker detection and loudness.
    case listening
    /// Detects faces.
    case framing
    /// Compares recordings to align them by sound.
    case aligning
    /// Runs transcription programs.
    case transcribing
    /// Measures the loudness of the mix.
    case measuring
    /// Draws single frames.
    case drawing
  }

  public var phase: Phase
  /// Number of finished items of the phase.
  public var done: Int
  /// Number of items of the phase; at least 1.
  public var count: Int

  package init(phase: Phase, done: Int, count: Int) {
    (self.phase, self.done, self.count) = (phase, done, count)
  }
}

extension TaskWorkerPool {
  /// Creates a pool that reports planning progress. It runs tasks in processes of `program`, or on
  /// threads of this process if `program` is nil.
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
