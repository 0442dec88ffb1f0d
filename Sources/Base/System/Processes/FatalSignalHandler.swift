import CTesseraSystem
import Glibc

/// The error message of a crash. It replaces Swift's backtrace, which is of no use to users.
package enum FatalSignalHandler {
  private static let words: StaticString = """
    error: tessera ended by a fault of its own, or because there was no memory left (see \
    "ulimit -a"); finished work is kept. Please report the recording that causes it.

    """

  /// Installs signal handlers that print the message before a crash ends the process. In a worker,
  /// ``CrashNote`` replaces them.
  package static func install() {
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { number in
        let words = FatalSignalHandler.words
        _ = unsafe write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
        raise(number)
      }
      action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
      unsafe sigaction(number, &action, nil)
    }
  }
}
