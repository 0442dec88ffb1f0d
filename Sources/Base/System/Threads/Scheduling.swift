import Foundation

/// The priority of this process's threads.
package enum Scheduling {
  /// Calls `body`; threads that it moved to real-time priority, its own one and those that it
  /// started, are given back to the ordinary scheduler.
  ///
  /// SVT-AV1 gives itself the highest real-time priority where it may, as root in a container may.
  /// The thread that opened it passes that on to every program it starts, and a program whose
  /// threads wait for each other by spinning never ends on a machine with fewer processors.
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

  /// Whether thread `thread` of this process, 0 for the calling one, has real-time priority.
  package static func isRealTime(_ thread: Int32) -> Bool {
    let policy = sched_getscheduler(thread)
    return policy == SCHED_FIFO || policy == SCHED_RR
  }
}
