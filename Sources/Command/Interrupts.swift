import Glibc
import Synchronization
import TesseraSystem

/// Makes Ctrl-C and a polite kill stop the work instead of the process; a second one ends the
/// process at once.
enum Interrupts {
  static let cancellation = Cancellation()

  private static let terminated = Atomic<Bool>(false)

  /// Whether it was a polite kill that asked to stop, such as that of a machine that is about to go away.
  static var wasTerminated: Bool { terminated.load(ordering: .relaxed) }

  static func install() {
    _ = cancellation
    unblock([SIGINT, SIGTERM, SIGHUP])
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { number in
        if number == SIGTERM { Interrupts.terminated.store(true, ordering: .relaxed) }
        Interrupts.cancellation.cancel()
      }
      action.sa_flags = SA_RESTART | CInt(bitPattern: UInt32(SA_RESETHAND))
      unsafe sigaction(number, &action, nil)
    }
  }

  /// Leaves it to the failing write to report a full disk or a closed pipe.
  static func leaveWritingToItself() {
    for number in [SIGXFSZ, SIGPIPE] { signal(number, SIG_IGN) }
  }

  /// A parent's worker thread may have started this process with its signals blocked.
  private static func unblock(_ signals: [CInt]) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in signals { unsafe sigaddset(&set, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
