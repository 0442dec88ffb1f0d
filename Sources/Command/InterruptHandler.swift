import Glibc
import Synchronization
import TesseraSystem

/// Turns the first SIGINT, SIGTERM or SIGHUP into a cancellation; the second one ends the process
/// at once.
enum InterruptHandler {
  static let cancellation = Cancellation()

  private static let terminated = Atomic<Bool>(false)

  /// True if SIGTERM requested the stop, for example because the machine is about to be taken away.
  static var wasTerminated: Bool { terminated.load(ordering: .relaxed) }

  static func install() {
    _ = cancellation
    unblock([SIGINT, SIGTERM, SIGHUP])
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { number in
        if number == SIGTERM { InterruptHandler.terminated.store(true, ordering: .relaxed) }
        InterruptHandler.cancellation.cancel()
      }
      action.sa_flags = SA_RESTART | CInt(bitPattern: UInt32(SA_RESETHAND))
      unsafe sigaction(number, &action, nil)
    }
  }

  /// Ignores SIGXFSZ and SIGPIPE, so that a full disk or a closed pipe is reported by the write
  /// that fails.
  static func ignoreWriteSignals() {
    for number in [SIGXFSZ, SIGPIPE] { signal(number, SIG_IGN) }
  }

  /// Unblocks `signals`: a parent thread with blocked signals may have started this process.
  private static func unblock(_ signals: [CInt]) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in signals { unsafe sigaddset(&set, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
