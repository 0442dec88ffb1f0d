import Foundation

/// State that several threads share, with a way to wait until it changes.
package final class Monitor<State>: @unchecked Sendable {
  // Sendable because the state is only touched while the condition's lock is held.
  private let condition = NSCondition()
  private var state: State

  package init(_ state: sending State) { self.state = state }

  /// Looks at the state or changes it, alone.
  package func withLock<R: Sendable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R
  {
    condition.lock()
    defer { condition.unlock() }
    return try body(&state)
  }

  /// Changes the state and wakes all who wait.
  package func update(_ body: (inout State) -> Void) {
    condition.lock()
    defer { condition.unlock() }
    body(&state)
    condition.broadcast()
  }

  /// Waits until `body` returns something; it is asked again after every ``update(_:)``.
  package func wait<R: Sendable>(until body: (inout State) -> R?) -> R {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result = body(&state) { return result }
      condition.wait()
    }
  }
}

/// Threads that run one closure each, and can be waited for.
package final class WorkerThreads: Sendable {
  private let running: Monitor<Int>

  /// Starts `count` threads named `name`; `body` must return once it is asked to stop.
  package init(count: Int, name: String, body: @escaping @Sendable () -> Void) {
    let running = Monitor(count)
    self.running = running
    for _ in 0..<count {
      let thread = Thread {
        body()
        running.update { $0 -= 1 }
      }
      thread.name = name
      thread.stackSize = 2 << 20
      thread.start()
    }
  }

  /// Returns when all threads have ended.
  package func join() { running.wait { $0 == 0 ? () : nil } }
}
