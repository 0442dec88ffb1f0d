import Dispatch
package import TesseraSystem

/// Runs the engine's tasks on threads of their own. A caller may block one of the few threads of
/// Swift's shared pool while it waits for a render, which must not starve the render.
package final class DedicatedThreadExecutor: TaskExecutor {
  private static let shared = DedicatedThreadExecutor()

  private let queue = DispatchQueue(label: "tessera.engine", attributes: .concurrent)

  /// Starts `work`, for callers that block without being a task. The returned value contains the
  /// result as soon as `work` has ended, and nil before.
  package static func launch<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(RenderError) -> Value
  ) -> ConditionLock<Result<Value, RenderError>?> {
    let outcome = ConditionLock(Result<Value, RenderError>?.none)
    Task.detached(executorPreference: shared) {
      let result: Result<Value, RenderError>
      do throws(RenderError) {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      outcome.update { $0 = result }
    }
    return outcome
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
