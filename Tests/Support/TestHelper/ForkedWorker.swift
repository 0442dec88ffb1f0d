import Foundation
import Glibc
import Synchronization
import SystemPackage
import TesseraSystem

/// Workers of a ``ForkServer`` and the process that starts them, for tests.
enum ForkedWorker {
  /// Starts 20 workers at once and prints the end and the output of each, in order.
  static func startAll() throws {
    let threads = (0..<20).map { number in
      let result = ConditionLock(String?.none)
      Thread {
        let text = (try? run(number)) ?? "cannot be started"
        result.update { $0 = text }
      }.start()
      return result
    }
    for result in threads { print(result.wait { $0 }) }
  }

  private static func run(_ number: Int) throws -> String {
    let input = try SharedFileDescriptor.pipe()
    let (process, reading) = try start(number, input.reading)
    var text: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(reading.number, &byte, 1) > 0 { text.append(byte) }
    withExtendedLifetime(input) {}
    withExtendedLifetime(reading) {}
    return "\(process.wait()) \(String(decoding: text, as: UTF8.self))"
  }

  private static func start(
    _ number: Int, _ input: SharedFileDescriptor
  ) throws -> (ChildProcess, SharedFileDescriptor) {
    let output = try SharedFileDescriptor.pipe()
    let process = try ForkServer.worker(
      ForkServer.program, ["work", "\(number)", "a b", ""], input: input, output: output.writing,
      errors: output.writing)
    return (process, output.reading)
  }

  /// A constant whose initialization takes a while.
  private static let slow = usleep(20_000)
  private static let lock = Mutex(0)

  private static let early = getpid()

  /// Takes locks on the thread that the server is forked from, as every command does.
  static func takeLocks() {
    _ = early
    lock.withLock { $0 += 1 }
  }

  /// Makes two threads wait for each other: for the initialization of a constant, and for a mutex.
  private static func initializeTogether() {
    let other = ThreadGroup(count: 1, name: "other") {
      usleep(5_000)
      _ = slow
      lock.withLock { $0 += 1 }
    }
    _ = slow
    lock.withLock { _ in _ = usleep(20_000) }
    other.join()
  }

  /// Prints the resources that a worker can see, and ends with the worker's number as exit code;
  /// the last worker ends by a signal.
  static func work(_ words: [String]) {
    let secrets = ["environ", "cmdline"].filter { name in
      (FileManager.default.contents(atPath: "/proc/self/\(name)") ?? Data())
        .range(of: Data("secret".utf8)) != nil
    }
    // The process between the server and the worker may not have ended yet.
    var parent = false
    for _ in 0..<200 where !parent {
      parent =
        (try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(getppid())/exe")) == ForkServer.program
      if !parent { usleep(10_000) }
    }
    func has(_ name: String) -> Bool { ProcessInfo.processInfo.environment[name] != nil }
    let files = (0..<256).count { fcntl($0, F_GETFD) >= 0 }
    let text =
      "\(words) parent \(parent) group \(getpgrp() == getpid()) files \(files) "
      + "secrets \(secrets) path \(has("PATH")) word \(has("WORD"))"
    _ = FileDescriptor.write(Data(text.utf8), to: STDOUT_FILENO)
    initializeTogether()
    let number = CInt(words[1]) ?? 64
    if number == 19 { kill(getpid(), SIGKILL) }
    exit(number)
  }
}
