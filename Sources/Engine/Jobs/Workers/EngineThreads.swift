import Dispatch

/// Runs the engine's tasks on threads of their own: a render may be waited for on one of the few
/// threads that all other tasks share.
final class EngineThreads: TaskExecutor {
  static let shared = EngineThreads()

  private let queue = DispatchQueue(label: "tessera.engine", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
