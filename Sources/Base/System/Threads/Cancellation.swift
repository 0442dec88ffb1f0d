import Glibc
import Synchronization

/// A cancellation token that all long operations check, from any thread.
///
/// ``cancel()`` is a single atomic store, so that a signal handler may call it.
package final class Cancellation: Sendable {
  private let requested = Atomic<Bool>(false)
  private let systemErrorNumber = Atomic<CInt>(0)

  /// Creates a token that is not cancelled.
  package init() {}

  /// Requests that all operations with this token stop.
  package func cancel() { requested.store(true, ordering: .releasing) }

  /// Cancels because of a system error (`errno`) for which no recording is to blame.
  package func cancel(because errorNumber: CInt) {
    systemErrorNumber.store(errorNumber, ordering: .releasing)
    cancel()
  }

  /// The text of the system error that caused the cancellation; `nil` if the stop was requested.
  package var systemError: String? {
    let number = systemErrorNumber.load(ordering: .acquiring)
    return number == 0 ? nil : unsafe String(cString: strerror(number))
  }

  /// True if the process that downloaded files has ended.
  package var isAbandoned: Bool {
    systemErrorNumber.load(ordering: .acquiring) == EOWNERDEAD
  }

  /// True if a stop was requested or caused by an error.
  package var isCancelled: Bool { requested.load(ordering: .acquiring) }
}
