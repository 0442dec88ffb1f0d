import CTesseraSystem
import Glibc

/// Kills a program and its descendants once this process has ended in any way, including SIGKILL.
///
/// User programs do not support ``ParentProcessWatchdog``. So a forked guard process waits for the
/// end of a pipe whose writing end this process holds.
package final class ProcessGroupWatchdog: Sendable {
  private let process: pid_t
  private let writing: SharedFileDescriptor

  /// Guards `program` as long as this value lives.
  ///
  /// - Throws: ``SystemError`` if the program was already waited for, or if no process can be
  ///   forked.
  package init(_ program: ChildProcess) throws(SystemError) {
    let pipe = try SharedFileDescriptor.pipe()
    guard let group = program.number else { throw SystemError("guard", "a program", number: ESRCH) }
    process = csys_guard_group(group, pipe.reading.number, pipe.writing.number)
    writing = pipe.writing
    withExtendedLifetime(pipe.reading) {}
    guard process > 0 else { throw SystemError("fork", "a process") }
  }

  deinit {
    guard process > 0 else { return }
    kill(process, SIGKILL)
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
  }
}
