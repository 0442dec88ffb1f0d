import Dispatch

/// Runs the engine's tasks on threads of their own. A caller may block one of the few threads of
/// Swift's shared pool while it waits for a render, which must not starve the render.
final class DedicatedThreadExecutor: TaskExecutor {
  static let shared = DedicatedThreadExecutor()

  private let queue = DispatchQueue(label: "tessera.engine", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
