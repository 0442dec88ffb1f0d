extension String {
  /// The text as the content of an element or attribute of XML, SVG or HTML, where it stands for
  /// itself: marks escaped, and controls and what would turn the direction of other text spelled
  /// out.
  package var asMarkup: String {
    var result = ""
    for scalar in spellingOutControls().unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // XML 1.0 cannot hold these.
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
