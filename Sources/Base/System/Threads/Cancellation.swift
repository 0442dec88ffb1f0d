import Glibc
import Synchronization

/// A request to stop that every long operation looks at, from any thread.
///
/// ``cancel()`` is one atomic store, so a signal handler may call it.
package final class Cancellation: Sendable {
  private let requested = Atomic<Bool>(false)
  private let systemErrorNumber = Atomic<CInt>(0)

  /// A token that nobody has cancelled yet.
  package init() {}

  /// Asks everything that was given this token to stop.
  package func cancel() { requested.store(true, ordering: .releasing) }

  /// Stops everything because the system refuses something, for which no recording is to blame.
  package func cancel(because errorNumber: CInt) {
    systemErrorNumber.store(errorNumber, ordering: .releasing)
    cancel()
  }

  /// What the system refused, in its own words; nil where somebody asked to stop.
  package var systemError: String? {
    let number = systemErrorNumber.load(ordering: .acquiring)
    return number == 0 ? nil : unsafe String(cString: strerror(number))
  }

  /// Whether files were being fetched by a process that has ended.
  package var isAbandoned: Bool {
    systemErrorNumber.load(ordering: .acquiring) == EOWNERDEAD
  }

  /// Whether ``cancel()`` was called.
  package var isCancelled: Bool { requested.load(ordering: .acquiring) }
}
