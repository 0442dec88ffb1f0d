import Foundation
import Synchronization
import SystemPackage
import TesseraBatch
import TesseraJobs
import TesseraSystem
import TesseraTimeline

/// Standard error, where progress and messages go.
enum Terminal {
  /// Whether a person watches standard error.
  static let isInteractive = isatty(STDERR_FILENO) == 1

  /// Whether everything is one JSON object a line.
  private static let isJSON = Atomic<Bool>(false)

  /// Whether the object that says how it ended is written.
  private static let isFinished = Atomic<Bool>(false)
  /// What is being done.
  private static let phase = Mutex("starting")

  /// From now on, messages are JSON objects as progress is: each has a `type` and a `phase`,
  /// messages a `level` and a `message`.
  static func writesJSON() { isJSON.store(true, ordering: .relaxed) }

  /// Notes what is being done, for messages.
  static func enter(phase name: String) { phase.withLock { $0 = name } }

  /// How it ended, once outputs are uploaded.
  private static let held = Mutex(CommandResult?.none)

  /// Writes how it ended, which was held back.
  static func finishHeld() {
    StandardOutput.release()
    if let result = held.withLock(\.self) { finish(result) }
  }

  /// Writes how it ended, where everything is JSON. Only the first one counts, and what is held back does not.
  static func finish(_ result: CommandResult) {
    guard !StandardOutput.isHeld else { return held.withLock { $0 = result } }
    guard isJSON.load(ordering: .relaxed),
      !isFinished.exchange(true, ordering: .relaxed)
    else { return }
    var result = result
    result.phase =
      result.output != nil || result.exit == 0 ? "done" : phase.withLock { $0 }
    write(PlainJSON.text(result) + "\n")
  }

  /// Ends a command that has made `output`: the last object says so.
  ///
  /// - Throws: the exit code, where it `hasLosses` that are not accepted.
  static func finish(_ output: String, hasLosses: Bool, accepted: Bool) throws(ExitStatus) {
    let status: ExitStatus? = hasLosses && !accepted ? .renderedWithLosses : nil
    var result = CommandResult(exit: status?.rawValue ?? 0)
    result.output = output
    finish(result)
    if let status { throw status }
  }

  /// Prints a line; one about a `job` of a batch says so.
  static func say(_ line: String, job: String? = nil) {
    let plain = line.spellingOutControls()
    if isJSON.load(ordering: .relaxed) {
      write(json(plain, job) + "\n")
    } else {
      write((job.map { "\($0.spellingOutControls()): " } ?? "") + plain + "\n")
    }
  }

  /// Prints further lines of a message for people.
  static func add(_ lines: String) {
    guard !isJSON.load(ordering: .relaxed) else { return }
    write(lines.spellingOutControls(exceptNewlines: true) + "\n")
  }

  private static func json(_ line: String, _ job: String?) -> String {
    let levels = ["error", "warning", "note"]
    let level = levels.first { line.hasPrefix("\($0): ") }
    return PlainJSON.text(
      CommandMessage(
        phase: phase.withLock { $0 }, job: job, level: level ?? "note",
        message: level.map { String(line.dropFirst($0.count + 2)) } ?? line))
  }

  /// Prints text as it is. What cannot be written is dropped: nobody reads it, and no work is lost
  /// for that.
  static func write(_ text: String) {
    _ = FileDescriptor.write(Data(text.utf8), to: STDERR_FILENO)
  }

  /// The number of columns.
  static var width: Int {
    var size = winsize()
    let isKnown = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0
    return isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}
