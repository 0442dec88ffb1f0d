import Foundation
import Glibc

/// Standard error, where progress and messages go.
enum Terminal {
  /// Whether a person watches standard error.
  static let isInteractive = isatty(STDERR_FILENO) == 1

  /// Prints a line.
  static func say(_ line: String) { write(line + "\n") }

  /// Prints text as it is.
  static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  /// The number of columns.
  static var width: Int {
    var size = winsize()
    let isKnown = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0
    return isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}
