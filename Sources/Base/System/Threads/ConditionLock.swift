import Foundation

/// State shared between threads, with a condition variable to wait for changes.
package final class ConditionLock<State>: @unchecked Sendable {
  // Sendable because the state is only accessed with the condition's lock held.
  private let condition = NSCondition()
  private var state: State

  package init(_ state: sending State) { self.state = state }

  /// Runs `body` with exclusive access to the state, without waking waiting threads.
  package func withLock<R: Sendable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R
  {
    condition.lock()
    defer { condition.unlock() }
    return try body(&state)
  }

  /// Changes the state and wakes all waiting threads.
  package func update(_ body: (inout State) -> Void) {
    condition.lock()
    defer { condition.unlock() }
    body(&state)
    condition.broadcast()
  }

  /// Waits until `body` returns a value other than `nil`. `body` is called first, and again after
  /// updates; several updates may lead to one call.
  package func wait<R: Sendable>(until body: (inout State) -> R?) -> R {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let result = body(&state) { return result }
      condition.wait()
    }
  }
}
