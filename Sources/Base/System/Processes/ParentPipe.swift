import Foundation
import Glibc

/// Ends a worker when whoever started it has ended, in whatever way.
///
/// The parent holds the writing end of a pipe and never writes; the system closes it when the
/// parent dies.
package enum ParentPipe {
  /// From now on the process ends, with 143 and without any last word, once nobody holds the other
  /// end of the pipe any more that is its standard input.
  package static func endWithParent() {
    let thread = Thread {
      wait(STDIN_FILENO)
      _exit(143)
    }
    thread.stackSize = 256 << 10
    thread.start()
  }

  /// Returns when the pipe is closed at its other end.
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
