import Foundation
import Glibc

/// Ends a worker when its parent has ended in any way.
///
/// The parent holds the writing end of a pipe and never writes; the system closes it when the
/// parent dies.
package enum ParentProcessWatchdog {
  /// Starts a thread that ends the process, with status 143 and without a message, once the other
  /// end of the pipe on its standard input is closed.
  package static func endWithParent() {
    let thread = Thread {
      wait(STDIN_FILENO)
      _exit(143)
    }
    thread.stackSize = 256 << 10
    thread.start()
  }

  /// Waits until the other end of the pipe is closed.
  private static func wait(_ descriptor: CInt) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while true {
        let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 || (count < 0 && errno == EINTR) { continue }
        guard count < 0, errno == EAGAIN else { return }
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        unsafe poll(&ready, 1, -1)
      }
    }
  }
}
