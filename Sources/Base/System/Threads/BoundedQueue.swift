/// Hands elements from one thread to another, which waits for them; whoever is ahead waits, too.
package final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var isEnded = false
    var isClosed = false
  }

  private let capacity: Int
  private let state = Monitor(State())

  /// A queue that holds at most `capacity` elements.
  package init(capacity: Int) { self.capacity = capacity }

  /// Adds an element once there is room; false where nobody takes any more.
  package func put(_ element: Element) -> Bool {
    let capacity = capacity
    let hasRoom = state.wait { $0.isClosed ? false : $0.elements.count < capacity ? true : nil }
    guard hasRoom else { return false }
    state.update { $0.elements.append(element) }
    return true
  }

  /// Takes the first element once there is one; nil after the last one, and once it is closed.
  package func take() -> Element? {
    let found = state.wait { state -> Element?? in
      if state.isClosed { return .some(nil) }
      if !state.elements.isEmpty { return state.elements.removeFirst() }
      return state.isEnded ? .some(nil) : nil
    }
    state.update { _ in }
    return found ?? nil
  }

  /// Nothing more is put.
  package func end() { state.update { $0.isEnded = true } }

  /// Nothing more is taken; what is in it is dropped.
  package func close() {
    state.update { state in
      state.isClosed = true
      state.elements = []
    }
  }
}
