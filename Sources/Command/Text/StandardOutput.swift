import Foundation
import SystemPackage
import TesseraJobs
import TesseraSystem
import TesseraTimeline

/// Standard output, where results go.
enum StandardOutput {
  /// What is printed once outputs are uploaded; nil where nothing is held back.
  private static let held = Monitor(Data?.none)

  /// Holds back what is printed from now on.
  static func hold() { held.update { $0 = $0 ?? Data() } }

  /// Whether what is printed is held back.
  static var isHeld: Bool { held.withLock { $0 != nil } }

  /// Prints what was held back.
  static func release() {
    let data = held.withLock { held in
      defer { held = nil }
      return held
    }
    if let data { _ = put(data) }
  }

  /// Prints `data`, or holds it back; returns the number of what the system refused.
  private static func put(_ data: Data) -> CInt? {
    let isHeld = held.withLock { held in
      held?.append(data)
      return held != nil
    }
    return isHeld ? nil : FileDescriptor.write(data, to: STDOUT_FILENO)
  }

  /// Prints a line about a file that is finished; it is dropped where it cannot be written.
  static func say(_ line: String) {
    _ = put(Data((line.spellingOutControls() + "\n").utf8))
  }

  /// Prints lines whose names are spelled out already; they are dropped where they cannot be
  /// written.
  static func say(lines: String) {
    _ = put(Data((lines + "\n").utf8))
  }

  /// Writes all of a result.
  ///
  /// - Throws: ``ExitStatus/failed`` where nobody reads any more, else a ``RenderError``.
  static func write(_ data: Data) throws {
    guard let code = put(data) else { return }
    guard code != EPIPE else { throw ExitStatus.failed }
    let why = unsafe String(cString: strerror(code))
    throw RenderError(
      .failure, "cannot write the result to the standard output: \(why); send it elsewhere.")
  }
}
