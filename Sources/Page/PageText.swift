import Foundation
import TesseraSystem

/// Text inside HTML.
enum PageText {
  /// `value` as JSON that no parser of HTML takes for markup and no parser of scripts for a line's
  /// end.
  static func json(_ value: some Encodable) -> String {
    var result = ""
    for scalar in PlainJSON.text(value).unicodeScalars {
      switch scalar {
      case "<": result += "\\u003c"
      case "\u{2028}": result += "\\u2028"
      case "\u{2029}": result += "\\u2029"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
