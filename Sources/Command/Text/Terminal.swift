import Foundation
import Glibc
import Synchronization
import TesseraRendering
import TesseraSystem

/// Standard error, where progress and messages go.
enum Terminal {
  /// Whether a person watches standard error.
  static let isInteractive = isatty(STDERR_FILENO) == 1

  /// Whether everything is one JSON object a line.
  private static let isJSON = Atomic<Bool>(false)

  /// From now on, messages are JSON objects as progress is, with `level` and `message`.
  static func writesJSON() { isJSON.store(true, ordering: .relaxed) }

  /// Prints a line.
  static func say(_ line: String) {
    let plain = line.spellingOutControls()
    write((isJSON.load(ordering: .relaxed) ? json(plain) : plain) + "\n")
  }

  private static func json(_ line: String) -> String {
    struct Message: Encodable {
      var level: String
      var message: String
    }
    let levels = ["error", "warning", "note"]
    let level = levels.first { line.hasPrefix("\($0): ") }
    let message = Message(
      level: level ?? "note", message: level.map { String(line.dropFirst($0.count + 2)) } ?? line)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(message)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
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
