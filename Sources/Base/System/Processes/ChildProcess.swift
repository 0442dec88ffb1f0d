import CTesseraSystem
import Foundation
import Glibc

/// A child process in a process group of its own, so that signals of the terminal reach only its
/// parent.
package final class ChildProcess: Sendable {
  /// The way in which a process ended: exit status or signal.
  package enum Termination: Hashable, Sendable {
    case exit(CInt)
    case signal(CInt)
  }

  /// The process identifier; `nil` after the wait, because the system may then reuse it.
  private let identifier: ConditionLock<pid_t?>

  /// The identifier of the process and its group; `nil` after ``wait()``.
  var number: pid_t? { identifier.withLock(\.self) }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: The path, or a name that is searched for in `PATH`.
  ///   - arguments: The arguments after the program's name.
  ///   - environment: The complete environment.
  ///   - input: The standard input.
  ///   - errors: The standard error.
  ///   - output: The standard output; `nil` for `/dev/null`.
  /// - Throws: ``SystemError`` if the program cannot be started.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String],
    input: SharedFileDescriptor, errors: SharedFileDescriptor, output: SharedFileDescriptor? = nil
  ) throws(SystemError) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.number, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors.number, STDERR_FILENO)
    if let output {
      unsafe posix_spawn_file_actions_adddup2(&actions, output.number, STDOUT_FILENO)
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    // The program inherits no other file of this process.
    unsafe csys_spawn_without_files(&actions, STDERR_FILENO + 1)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    // Threads of a pool block signals, and a child would inherit their mask.
    var held = sigset_t()
    unsafe sigemptyset(&held)
    unsafe posix_spawnattr_setsigmask(&attributes, &held)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
    let words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    let variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (words + variables).forEach { unsafe free($0) } }
    var number: pid_t = 0
    let failure = unsafe posix_spawnp(&number, program, &actions, &attributes, words, variables)
    withExtendedLifetime((input, errors, output)) {}
    guard failure == 0 else { throw SystemError("start", program, number: failure) }
    identifier = ConditionLock(number)
  }

  /// Starts the program `words[0]` without input.
  ///
  /// - Returns: the process, and the read end of a pipe with all that it writes to its standard
  ///   output, and to its standard error if `withErrors` is true.
  package static func piped(
    _ words: [String], environment: [String: String], withErrors: Bool
  ) throws(SystemError) -> (process: ChildProcess, output: SharedFileDescriptor) {
    let none = SharedFileDescriptor(try OwnedFileDescriptor(opening: "/dev/null", O_RDWR))
    let pipe = try SharedFileDescriptor.pipe()
    let process = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: environment, input: none,
      errors: withErrors ? pipe.writing : none, output: pipe.writing)
    return (process, pipe.reading)
  }

  /// Refers to the running child with the identifier `number`.
  init(number: pid_t) { identifier = ConditionLock(number) }

  /// Waits for the end of the process. Call it once.
  package func wait() -> Termination {
    guard let number = identifier.withLock(\.self) else { return .signal(0) }
    // The identifier stays reserved until no thread can signal it any more.
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {
    }
    return identifier.withLock { identifier in
      identifier = nil
      var status: CInt = 0
      while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
      return status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f)
    }
  }

  /// Sends a signal to the process group, unless the process was waited for.
  package func sendAll(_ signal: CInt) {
    identifier.withLock { number in
      if let number { _ = kill(-number, signal) }
    }
  }

  /// Sends a signal to the process alone, unless it was waited for.
  package func send(_ signal: CInt) {
    identifier.withLock { number in
      if let number { _ = kill(number, signal) }
    }
  }
}
