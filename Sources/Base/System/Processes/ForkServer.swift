import CTesseraSystem
import Foundation
import Glibc

/// Forks workers from a copy of this process that was made before it had threads.
///
/// A newly executed worker loads and links 150 libraries, which takes longer than reading a short
/// recording. A forked worker has them already. The copy erases the command's arguments and the
/// environment that workers do not get, so that a compromised worker finds no secrets in its
/// memory.
package enum ForkServer {
  /// The socket of the server; `nil` if it does not run.
  private static let server = ConditionLock(SharedFileDescriptor?.none)

  /// The path of the program that this process runs.
  package static let program =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? "/proc/self/exe"

  /// Does the work of a worker, given its arguments.
  nonisolated(unsafe) private static var work: ([String]) -> Void = { _ in }

  /// Starts the server. Call it first of all: only a process without threads can be forked.
  ///
  /// - Parameter work: called in each worker with its arguments. The worker then ends with exit
  ///   code 0.
  package static func start(_ work: @escaping ([String]) -> Void) {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard csys_thread_count() == 1, csys_adopt_orphans() == 0,
      unsafe socketpair(AF_UNIX, type, 0, &ends) == 0,
      let own = try? OwnedFileDescriptor(ends[0], "make", "a socket"),
      let other = try? OwnedFileDescriptor(ends[1], "make", "a socket")
    else { return }
    let process = csys_fork()
    guard process != 0 else {
      // The server ends when all copies of the other end are closed, so it must not keep one.
      _ = consume own
      unsafe Self.work = work
      serve(other)
    }
    guard process > 0 else { return }
    let shared = SharedFileDescriptor(own)
    server.withLock { $0 = shared }
  }

  /// Serves the parent until it ends.
  private static func serve(_ socket: consuming OwnedFileDescriptor) -> Never {
    WorkerEnvironment.clear()
    var length = 0
    let area = unsafe csys_forget_arguments(CommandLine.argc, CommandLine.unsafeArgv, &length)
    unsafe csys_serve_forks_in_thread(socket.number, area, length) { bytes, size in
      let arguments = unsafe UnsafeRawBufferPointer(start: bytes, count: size)
        .split(separator: 0, omittingEmptySubsequences: false).dropLast()
        .map { unsafe String(decoding: $0, as: UTF8.self) }
      unsafe free(bytes)
      unsafe ForkServer.work(arguments)
    }
  }

  /// Starts a worker process: a fork if the server runs and `program` is this program. Otherwise,
  /// `program` is executed with ``WorkerEnvironment``.
  package static func worker(
    _ program: String, _ arguments: [String], input: SharedFileDescriptor,
    output: SharedFileDescriptor,
    errors: SharedFileDescriptor
  ) throws(SystemError) -> ChildProcess {
    if program == Self.program,
      let number = fork(arguments, input: input, output: output, errors: errors)
    {
      return ChildProcess(number: number)
    }
    return try ChildProcess(
      program, arguments,
      environment: WorkerEnvironment.kept(of: ProcessInfo.processInfo.environment), input: input,
      errors: errors, output: output)
  }

  /// Forks a worker and returns its process identifier, which this process has to wait for; `nil`
  /// if no server runs.
  private static func fork(
    _ arguments: [String], input: SharedFileDescriptor, output: SharedFileDescriptor,
    errors: SharedFileDescriptor
  ) -> pid_t? {
    let bytes = arguments.reduce(into: [UInt8]()) { $0 += Array($1.utf8) + [0] }
    return server.withLock { server in
      guard let socket = server,
        let words = try? OwnedFileDescriptor(
          unsafe csys_memory_file(bytes, bytes.count), "make", "a file in memory")
      else { return nil }
      let process = unsafe csys_request_fork(
        socket.number, [words.number, input.number, output.number, errors.number])
      withExtendedLifetime((input, output, errors)) {}
      // A server that has ended is not used again.
      if process == -EPIPE { server = nil }
      return process > 0 ? process : nil
    }
  }
}
