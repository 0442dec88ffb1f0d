import TesseraPlan
import TesseraTimeline

/// Numbers and words as SVG has them.
enum SVGText {
  /// A coordinate with at most one decimal.
  static func number(_ value: Double) -> String {
    let tenths = Int(saturating: (value * 10).rounded())
    return tenths % 10 == 0
      ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  /// As much of `text` as takes `columns` letters of the usual width, with … where it is cut.
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

  /// About how many letters of the usual width `text` is wide: Chinese, Japanese and Korean
  /// characters and pictures take two, marks on other letters nothing.
  static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { sum, scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format, .control: sum
      default: sum + ((0x1100...0x115f).contains(scalar.value) || scalar.value >= 0x2e80 ? 2 : 1)
      }
    }
  }
}
