package import TesseraSystem

/// Does jobs somewhere: in this process, in other ones, on a cluster.
package protocol Executor<Work>: Sendable {
  associatedtype Work: Job

  /// How many jobs it does at once, at most; the planner makes enough of them.
  var slots: Int { get }

  /// Does all jobs, in any order, and returns when they are done.
  ///
  /// `events` hears what happens to which job, from any thread. `lost` is called, before a part is
  /// made without a track that brought workers down, with what has to be written down; the next
  /// attempt reads it.
  ///
  /// - Throws: where one cannot be done, and once `cancellation` is asked for; all others are
  ///   stopped then.
  func execute(
    _ jobs: [Work], cancellation: Cancellation,
    events: @escaping @Sendable (Work, JobEvent) -> Void,
    lost: @escaping @Sendable (Work, CrashLoss) throws(RenderError) -> Void
  ) async throws(RenderError)
}

extension Executor {
  /// Begins all jobs on threads of the engine's own, for callers that wait without being a task;
  /// how it ended is in the result as soon as it has.
  package func start(
    _ jobs: [Work], cancellation: Cancellation,
    events: @escaping @Sendable (Work, JobEvent) -> Void,
    lost: @escaping @Sendable (Work, CrashLoss) throws(RenderError) -> Void
  ) -> Monitor<Result<Void, RenderError>?> {
    let outcome = Monitor(Result<Void, RenderError>?.none)
    Task.detached(executorPreference: EngineThreads.shared) {
      let result: Result<Void, RenderError>
      do throws(RenderError) {
        try await execute(jobs, cancellation: cancellation, events: events, lost: lost)
        result = .success(())
      } catch {
        result = .failure(error)
      }
      outcome.update { $0 = result }
    }
    return outcome
  }
}
