import Foundation
import TesseraJobs
import TesseraSystem

/// The process that runs the command on files.
final class RemoteChild {
  private let process = Process()
  private let held = Pipe()
  private let holdsOutput: Bool
  private let bytes = Monitor(Data())
  /// What it wrote to its standard output, where that is held until the upload.
  var output: Data { bytes.withLock { $0 } }

  /// Runs this program with `words`, and with `variables` besides those of this process that are no
  /// secrets.
  init(_ words: [String], _ variables: [String: String], holdsOutput: Bool) throws {
    self.holdsOutput = holdsOutput
    guard let program = FileSystem.realPath("/proc/self/exe") else {
      throw SystemError("find", "/proc/self/exe")
    }
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("AWS_") }
    environment.merge(variables) { $1 }
    process.environment = environment
    // It ends when this process does: see ParentPipe.
    process.standardInput =
      environment[Slots.variable] == nil ? Pipe() : FileHandle.standardInput
    if holdsOutput { process.standardOutput = held }
    try process.run()
  }

  /// Waits for its end, and asks it to stop where that is asked of this process; returns its exit
  /// code.
  func wait(_ cancellation: Cancellation) -> CInt {
    let (held, bytes) = (held, bytes)
    let readers = WorkerThreads(count: holdsOutput ? 1 : 0, name: "output") {
      let data = held.fileHandleForReading.readDataToEndOfFile()
      bytes.withLock { $0 = data }
    }
    var isAsked = false
    while process.isRunning {
      if cancellation.isCancelled, !isAsked {
        isAsked = true
        // It ends with the code that the signal has.
        if Interrupts.wasTerminated { process.terminate() } else { process.interrupt() }
      }
      usleep(20_000)
    }
    readers.join()
    return process.terminationReason == .exit
      ? process.terminationStatus : 128 + process.terminationStatus
  }
}
