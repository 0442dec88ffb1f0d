extension String {
  /// The text escaped as the content of an element or attribute in XML, SVG or HTML.
  ///
  /// Markup characters become entities. Controls and characters that change the direction of
  /// surrounding text are spelled out.
  package var asMarkup: String {
    var result = ""
    for scalar in spellingOutControls().unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // XML 1.0 does not allow these characters.
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
