import Foundation
import Synchronization
import SystemPackage
import TesseraBatch
import TesseraJobs
import TesseraSystem
import TesseraTimeline

/// Standard error, for progress and messages, as text or as JSON lines.
enum StandardError {
  /// True if standard error is a terminal.
  static let isInteractive = isatty(STDERR_FILENO) == 1

  /// True if all messages are JSON objects, one per line.
  private static let isJSON = Atomic<Bool>(false)

  /// True once the result object, the last line, is written.
  private static let isFinished = Atomic<Bool>(false)
  /// The current phase, such as `starting`.
  private static let phase = Mutex("starting")

  /// Switches messages to JSON objects. Each has a `type` and a `phase`, messages a `level` and a
  /// `message`.
  static func writesJSON() { isJSON.store(true, ordering: .relaxed) }

  /// Sets the phase that later messages name.
  static func enter(phase name: String) { phase.withLock { $0 = name } }

  /// The result that is held back until outputs are uploaded.
  private static let held = Mutex(CommandResult?.none)

  /// Prints the output and the result that were held back for uploads.
  static func finishHeld() {
    StandardOutput.release()
    if let result = held.withLock(\.self) { finish(result) }
  }

  /// Writes the result object if messages are JSON. Only the first result is written; while output
  /// is held back, the latest is stored instead.
  static func finish(_ result: CommandResult) {
    guard !StandardOutput.isHeld else { return held.withLock { $0 = result } }
    guard isJSON.load(ordering: .relaxed),
      !isFinished.exchange(true, ordering: .relaxed)
    else { return }
    var result = result
    result.phase =
      result.output != nil || result.exit == 0 ? "done" : phase.withLock { $0 }
    write(CanonicalJSON.text(result) + "\n")
  }

  /// Writes the result object of a command that has made `output`.
  ///
  /// - Throws: ``ExitStatus/renderedWithLosses`` if there are losses that are not accepted.
  static func finish(_ output: String, hasLosses: Bool, accepted: Bool) throws(ExitStatus) {
    let status: ExitStatus? = hasLosses && !accepted ? .renderedWithLosses : nil
    var result = CommandResult(exit: status?.rawValue ?? 0)
    result.output = output
    finish(result)
    if let status { throw status }
  }

  /// Prints a message; `job` names the job of a batch that the message is about.
  static func print(_ line: String, job: String? = nil) {
    let plain = line.spellingOutControls()
    if isJSON.load(ordering: .relaxed) {
      write(json(plain, job) + "\n")
    } else {
      write((job.map { "\($0.spellingOutControls()): " } ?? "") + plain + "\n")
    }
  }

  /// Prints further lines of a message; in JSON form, drops them.
  static func add(_ lines: String) {
    guard !isJSON.load(ordering: .relaxed) else { return }
    write(lines.spellingOutControls(exceptNewlines: true) + "\n")
  }

  private static func json(_ line: String, _ job: String?) -> String {
    let levels = ["error", "warning", "note"]
    let level = levels.first { line.hasPrefix("\($0): ") }
    return CanonicalJSON.text(
      CommandMessage(
        phase: phase.withLock { $0 }, job: job, level: level ?? "note",
        message: level.map { String(line.dropFirst($0.count + 2)) } ?? line))
  }

  /// Prints text unchanged. Write errors are ignored: no render fails because nobody reads its
  /// messages.
  static func write(_ text: String) {
    _ = FileDescriptor.write(Data(text.utf8), to: STDERR_FILENO)
  }

  /// The number of columns of the terminal; 80 if unknown.
  static var width: Int {
    var size = winsize()
    let isKnown = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0
    return isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}
