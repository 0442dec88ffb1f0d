import TesseraTimeline

/// Formats numbers and text for SVG.
enum SVGFormatter {
  /// Formats a coordinate with at most one decimal.
  static func number(_ value: Double) -> String {
    let tenths = Int(saturating: (value * 10).rounded())
    return tenths % 10 == 0
      ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  /// Returns `text`, shortened with … if it is wider than `columns` letters of average width.
  static func fitted(_ text: String, columns: Int) -> String {
    guard width(text) > columns else { return text }
    var (result, used) = ("", 1)
    for character in text {
      used += width(String(character))
      guard used <= columns else { break }
      result.append(character)
    }
    return result + "…"
  }

  /// Returns the approximate width of `text` in letters of average width. Chinese, Japanese and
  /// Korean characters and emoji count two, combining marks none.
  static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { sum, scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format, .control: sum
      default: sum + ((0x1100...0x115f).contains(scalar.value) || scalar.value >= 0x2e80 ? 2 : 1)
      }
    }
  }
}
