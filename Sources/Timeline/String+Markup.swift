extension String {
  /// The text as the content of an element or attribute of XML, SVG or HTML, where it stands for
  /// itself: marks escaped, what XML cannot hold replaced, and what would turn the direction of
  /// other text left out.
  package var asMarkup: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where scalar.turnsDirection: break
      case _ where !scalar.isInMarkup: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether XML 1.0 can hold it; line ends, which it can, stand in no name.
  fileprivate var isInMarkup: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0xfffe...0xffff: false
    default: true
    }
  }
}
