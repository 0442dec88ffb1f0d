import Foundation

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

  /// What `work` makes of each of `items`, in their order, as many at a time as there are cores;
  /// threads are named `name`. Nothing more is begun once the cancellation was asked for: what was
  /// not made then is nil, as is what `work` makes nil of.
  package static func map<Item: Sendable, Made: Sendable>(
    _ items: [Item], name: String, cancellation: Cancellation,
    _ work: @escaping @Sendable (Item) -> Made?
  ) -> [Made?] {
    let results = Monitor([Made?](repeating: nil, count: items.count))
    let next = Monitor(0)
    let threads = WorkerThreads(count: min(Machine.cores, items.count), name: name) {
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
