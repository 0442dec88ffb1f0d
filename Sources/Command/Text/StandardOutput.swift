import Foundation
import SystemPackage
import TesseraJobs
import TesseraMessages
import TesseraSystem
import TesseraTimeline

/// Standard output, for results. Output can be held back until the uploads are done.
enum StandardOutput {
  /// The output held back until outputs are uploaded; `nil` if output is printed at once.
  private static let held = ConditionLock(Data?.none)

  /// Holds back all later output until `release()`.
  static func hold() { held.update { $0 = $0 ?? Data() } }

  /// True if output is held back.
  static var isHeld: Bool { held.withLock { $0 != nil } }

  /// Prints the output that was held back, and holds back nothing more.
  static func release() {
    let data = held.withLock { held in
      defer { held = nil }
      return held
    }
    if let data { _ = put(data) }
  }

  /// Prints `data` or holds it back; returns the `errno` of a failed write.
  private static func put(_ data: Data) -> CInt? {
    let isHeld = held.withLock { held in
      held?.append(data)
      return held != nil
    }
    return isHeld ? nil : FileDescriptor.write(data, to: STDOUT_FILENO)
  }

  /// Prints a line about a finished file. Write errors are ignored.
  static func print(_ line: String) {
    _ = put(Data((line.spellingOutControls() + "\n").utf8))
  }

  /// Prints lines whose control characters are escaped already. Write errors are ignored.
  static func print(lines: String) {
    _ = put(Data((lines + "\n").utf8))
  }

  /// Writes all of a result.
  ///
  /// - Throws: ``ExitStatus/failed`` if the pipe's reader has gone, else a ``RenderError``.
  static func write(_ data: Data) throws {
    guard let code = put(data) else { return }
    guard code != EPIPE else { throw ExitStatus.failed }
    let why = unsafe String(cString: strerror(code))
    throw RenderError(
      .failure, "cannot write the result to the standard output: \(why); send it elsewhere.")
  }
}
