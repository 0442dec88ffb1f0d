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
