import Foundation
import TesseraSystem
import TesseraTimeline

/// Encodes text for embedding in HTML.
enum ScriptJSON {
  /// Encodes `value` as JSON that is safe inside a `script` element.
  ///
  /// `<` is escaped. Control characters other than tabs and line breaks, and characters that change
  /// the direction of text, are spelled out visibly.
  static func json(_ value: some Encodable) -> String {
    let text = CanonicalJSON.text(value)
    var (result, rest) = ("", text.unicodeScalars[...])
    while let scalar = rest.popFirst() {
      switch scalar {
      case "<": result += "\\u003c"
      case "\\":
        let mark = rest.popFirst() ?? scalar
        let digits = mark == "u" ? String(rest.prefix(4)) : ["b": "8", "f": "c"][mark]
        guard let control = digits.flatMap({ UInt32($0, radix: 16) }).flatMap(Unicode.Scalar.init),
          escaped(control) != String(control)
        else {
          result.unicodeScalars += [scalar, mark]
          continue
        }
        if mark == "u" { rest = rest.dropFirst(4) }
        result += escaped(control)
      default: result += escaped(scalar)
      }
    }
    return result
  }

  /// Returns the character for a JSON string; control characters are spelled out visibly.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    let text = String(scalar)
    let shown = text.spellingOutControls()
    return shown == text ? text : shown.replacing("\\", with: "\\\\")
  }
}
