import Dispatch
import Synchronization

/// A bounded queue between two threads, neither of which ever takes a lock: one puts, the other
/// takes, and later gives the room back.
///
/// What was taken stays in the ring until ``put(_:)`` needs its place, so that it is the putting
/// thread that lets go of it.
@safe package final class HandoffRing<Element: Sendable>: @unchecked Sendable {
  // Sendable because each place is touched by one side at a time: the counters say by which, and
  // they are published after what they stand for.
  private let places: UnsafeMutableBufferPointer<Element?>
  private let putCount = Atomic<Int>(0)
  private let takenCount = Atomic<Int>(0)
  private let releasedCount = Atomic<Int>(0)

  /// A ring of `capacity` places, at least 1.
  package init(capacity: Int) {
    unsafe places = .allocate(capacity: capacity)
    unsafe places.initialize(repeating: nil)
  }

  deinit {
    unsafe places.deinitialize()
    unsafe places.deallocate()
  }

  /// How many elements it may hold, those that were taken but not released among them.
  package var capacity: Int { unsafe places.count }

  /// Whether ``put(_:)`` may be called.
  package var hasRoom: Bool {
    putCount.load(ordering: .relaxed) - releasedCount.load(ordering: .acquiring) < capacity
  }

  /// Adds the last element. Only the putting thread calls this, and only where it ``hasRoom``.
  package func put(_ element: Element) {
    let count = putCount.load(ordering: .relaxed)
    unsafe places[count % capacity] = element
    putCount.store(count + 1, ordering: .releasing)
  }

  /// The first element that was not taken yet; nil where there is none.
  package var first: Element? {
    let count = takenCount.load(ordering: .relaxed)
    guard count < putCount.load(ordering: .acquiring) else { return nil }
    return unsafe places[count % capacity]
  }

  /// Takes ``first``. Its place is not free before ``release()``.
  package func take() {
    let count = takenCount.load(ordering: .relaxed)
    takenCount.store(count + 1, ordering: .relaxed)
  }

  /// Gives back the room of all that was taken but the last; returns how many places that are.
  package func releaseAllButLast() -> Int {
    let keep = max(0, takenCount.load(ordering: .relaxed) - 1)
    let freed = keep - releasedCount.load(ordering: .relaxed)
    if freed > 0 { releasedCount.store(keep, ordering: .releasing) }
    return max(0, freed)
  }
}

/// Lets one thread sleep until another one wakes it, without a lock on either side.
package final class WakeSignal: Sendable {
  private let isWaiting = Atomic<Bool>(false)
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  /// Sleeps until `isReady`; whoever makes it so calls ``wake()`` afterwards.
  package func wait(until isReady: () -> Bool) {
    while !isReady() {
      isWaiting.store(true, ordering: .sequentiallyConsistent)
      // What became ready before the flag was seen would wake nobody.
      if isReady() {
        isWaiting.store(false, ordering: .sequentiallyConsistent)
        return
      }
      semaphore.wait()
    }
  }

  /// Wakes the thread that waits, if one does.
  package func wake() {
    if isWaiting.exchange(false, ordering: .sequentiallyConsistent) { semaphore.signal() }
  }
}
