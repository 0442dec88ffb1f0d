import Foundation
import Glibc
import TesseraRendering
import TesseraSystem

/// Standard error, where progress and messages go.
enum Terminal {
  /// Whether a person watches standard error.
  static let isInteractive = isatty(STDERR_FILENO) == 1

  /// Prints a line.
  static func say(_ line: String) { write(line.spellingOutControls() + "\n") }

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
