/// A bounded queue between two threads. Taking waits for an element, and putting waits for room
/// (back-pressure).
package final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    /// True if no further elements will be put.
    var isEnded = false
    /// True if no further elements will be taken.
    var isClosed = false
  }

  private let capacity: Int
  private let state = ConditionLock(State())

  /// Creates a queue of at most `capacity` elements.
  package init(capacity: Int) { self.capacity = capacity }

  /// Appends an element once there is room; returns false if the queue is closed.
  package func put(_ element: Element) -> Bool {
    let capacity = capacity
    let hasRoom = state.wait { $0.isClosed ? false : $0.elements.count < capacity ? true : nil }
    guard hasRoom else { return false }
    state.update { $0.elements.append(element) }
    return true
  }

  /// Removes and returns the first element once there is one; `nil` after the last one, or if the
  /// queue is closed.
  package func take() -> Element? {
    let found = state.wait { state -> Element?? in
      if state.isClosed { return .some(nil) }
      if !state.elements.isEmpty { return state.elements.removeFirst() }
      return state.isEnded ? .some(nil) : nil
    }
    state.update { _ in }
    return found ?? nil
  }

  /// Marks the end: no further elements will be put.
  package func end() { state.update { $0.isEnded = true } }

  /// Closes the queue from the taking side, and drops its elements.
  package func close() {
    state.update { state in
      state.isClosed = true
      state.elements = []
    }
  }
}
