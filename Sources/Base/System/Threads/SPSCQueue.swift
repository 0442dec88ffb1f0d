import Dispatch
import Synchronization

/// A bounded lock-free queue between two threads: one puts elements; the other takes them and later
/// releases their places.
///
/// A taken element stays in the ring until ``put(_:)`` overwrites its place, so that the putting
/// thread deallocates it.
@safe package final class SPSCQueue<Element: Sendable>: @unchecked Sendable {
  // Sendable because only one side accesses a place at a time. The counters define which, and are
  // published after the access.
  private let places: UnsafeMutableBufferPointer<Element?>
  /// The number of elements put so far.
  private let putCount = Atomic<Int>(0)
  /// The number of elements taken so far.
  private let takenCount = Atomic<Int>(0)
  /// The number of elements released so far.
  private let releasedCount = Atomic<Int>(0)

  /// Creates a ring of `capacity` places, at least 1.
  package init(capacity: Int) {
    unsafe places = .allocate(capacity: capacity)
    unsafe places.initialize(repeating: nil)
  }

  deinit {
    unsafe places.deinitialize()
    unsafe places.deallocate()
  }

  /// The number of places, including those of elements taken but not released.
  package var capacity: Int { unsafe places.count }

  /// True if ``put(_:)`` may be called.
  package var hasRoom: Bool {
    putCount.load(ordering: .relaxed) - releasedCount.load(ordering: .acquiring) < capacity
  }

  /// Appends an element. For the putting thread only, and only if ``hasRoom``.
  package func put(_ element: Element) {
    let count = putCount.load(ordering: .relaxed)
    unsafe places[count % capacity] = element
    putCount.store(count + 1, ordering: .releasing)
  }

  /// The first element not taken yet; `nil` if there is none.
  package var first: Element? {
    let count = takenCount.load(ordering: .relaxed)
    guard count < putCount.load(ordering: .acquiring) else { return nil }
    return unsafe places[count % capacity]
  }

  /// Takes ``first``. Its place stays occupied until ``releaseAllButLast()``.
  package func take() {
    let count = takenCount.load(ordering: .relaxed)
    takenCount.store(count + 1, ordering: .relaxed)
  }

  /// Releases the places of all taken elements except the last, and returns the number of places
  /// released.
  package func releaseAllButLast() -> Int {
    let keep = max(0, takenCount.load(ordering: .relaxed) - 1)
    let freed = keep - releasedCount.load(ordering: .relaxed)
    if freed > 0 { releasedCount.store(keep, ordering: .releasing) }
    return max(0, freed)
  }
}

/// A lock-free signal with which one thread wakes another.
package final class WakeSignal: Sendable {
  private let isWaiting = Atomic<Bool>(false)
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  /// Sleeps until `isReady`. The thread that makes it true calls ``wake()`` afterwards.
  package func wait(until isReady: () -> Bool) {
    while !isReady() {
      isWaiting.store(true, ordering: .sequentiallyConsistent)
      // A change before the flag was set wakes nobody, so the condition is checked again.
      if isReady() {
        isWaiting.store(false, ordering: .sequentiallyConsistent)
        return
      }
      semaphore.wait()
    }
  }

  /// Wakes the waiting thread, if any.
  package func wake() {
    if isWaiting.exchange(false, ordering: .sequentiallyConsistent) { semaphore.signal() }
  }
}
