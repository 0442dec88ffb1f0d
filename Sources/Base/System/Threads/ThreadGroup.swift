import Foundation

/// A group of threads that each run one closure and can be joined.
package final class ThreadGroup: Sendable {
  private let running: ConditionLock<Int>

  /// Starts `count` threads named `name` with a stack of 2 MB. `body` must return when it is asked
  /// to stop.
  package init(count: Int, name: String, body: @escaping @Sendable () -> Void) {
    let running = ConditionLock(count)
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

  /// Waits until all threads have ended.
  package func join() { running.wait { $0 == 0 ? () : nil } }

  /// Applies `work` to `items` on as many threads as there are cores, and returns the results in
  /// the order of `items`.
  ///
  /// Threads are named `name`. After a cancellation no further item is started; the results of
  /// unstarted items are `nil`, as are those for which `work` returns `nil`.
  package static func map<Item: Sendable, Conversion: Sendable>(
    _ items: [Item], name: String, cancellation: Cancellation,
    _ work: @escaping @Sendable (Item) -> Conversion?
  ) -> [Conversion?] {
    let results = ConditionLock([Conversion?](repeating: nil, count: items.count))
    let next = ConditionLock(0)
    let threads = ThreadGroup(count: min(MachineResources.cores, items.count), name: name) {
      while true {
        let number = next.withLock { number in
          defer { number += 1 }
          return number
        }
        guard number < items.count, !cancellation.isCancelled else { return }
        let made = work(items[number])
        results.withLock { $0[number] = made }
      }
    }
    threads.join()
    return results.withLock { $0 }
  }
}
