import Foundation

/// The scheduling of this process's threads.
package enum ThreadPriority {
  /// Runs `body`, then returns threads with real-time priority to the default scheduler: this
  /// thread and those that `body` started.
  ///
  /// SVT-AV1 takes the highest real-time priority if permitted, as for root in a container.
  /// Programs started later from the same thread inherit it. A program whose threads wait for each
  /// other by spinning then never ends on a machine with fewer processors.
  package static func keptOrdinary<R: ~Copyable, E: Error>(
    _ body: () throws(E) -> R
  ) throws(E) -> R {
    defer { resetRealTimeThreads() }
    return try body()
  }

  private static func resetRealTimeThreads() {
    guard isRealTime(0) else { return }
    let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    var ordinary = sched_param()
    for thread in (threads ?? []).compactMap({ Int32($0) }) where isRealTime(thread) {
      unsafe _ = sched_setscheduler(thread, SCHED_OTHER, &ordinary)
    }
  }

  /// True if thread `thread` of this process (0 for the calling one) has real-time priority.
  package static func isRealTime(_ thread: Int32) -> Bool {
    let policy = sched_getscheduler(thread)
    return policy == SCHED_FIFO || policy == SCHED_RR
  }
}
