package import TesseraSystem

/// Runs jobs: in this process, in other processes or on a cluster.
package protocol Executor<Work>: Sendable {
  associatedtype Work: Job

  /// Largest number of jobs that run at once. The work is divided into at least that many jobs.
  var slots: Int { get }

  /// Runs all jobs, in any order, and returns when they are done.
  ///
  /// - Parameters:
  ///   - jobs: the jobs.
  ///   - cancellation: stops all jobs.
  ///   - events: receives what jobs report. May be called on any thread.
  ///   - lost: records that a part has to be made without a track that crashed workers. Called
  ///     before the next attempt, which reads the record.
  /// - Throws: ``RenderError`` if a job cannot be done or `cancellation` is requested. All other
  ///   jobs are stopped then.
  func execute(
    _ jobs: [Work], cancellation: Cancellation,
    events: @escaping @Sendable (Work, JobEvent) -> Void,
    lost: @escaping @Sendable (Work, CrashedTrackLoss) throws(RenderError) -> Void
  ) async throws(RenderError)
}

extension Executor {
  /// Calls ``execute(_:cancellation:events:lost:)`` on the engine's own threads, for callers that
  /// block without being a task. The returned value contains the result as soon as all jobs have
  /// ended, and nil before.
  package func launch(
    _ jobs: [Work], cancellation: Cancellation,
    events: @escaping @Sendable (Work, JobEvent) -> Void,
    lost: @escaping @Sendable (Work, CrashedTrackLoss) throws(RenderError) -> Void
  ) -> ConditionLock<Result<Void, RenderError>?> {
    DedicatedThreadExecutor.launch { () async throws(RenderError) in
      try await execute(jobs, cancellation: cancellation, events: events, lost: lost)
    }
  }
}
