import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraTimeline

/// Numbers and words as SVG has them.
enum SVGText {
  /// A coordinate with at most one decimal.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0
      ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  /// Text that stands for itself: marks escaped, what XML cannot hold replaced, and what would turn
  /// the direction of other text left out.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where scalar.turnsDirection: break
      case _ where !isAllowed(scalar): result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether XML 1.0 can hold it; line ends, which it can, stand in no name.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0xfffe...0xffff: false
    default: true
    }
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
