extension BinaryInteger {
  /// Returns the number with the noun `thing`, in the plural unless the number is 1: `2 tracks`.
  package func counted(_ thing: String) -> String { "\(self) \(thing)\(self == 1 ? "" : "s")" }
}

extension String {
  /// Returns the text with control characters spelled out as escapes.
  ///
  /// Controls move a terminal's cursor or break lines, and characters that change the text's
  /// direction make a name read as another. All text from recordings passes through this function
  /// before it is displayed. `exceptNewlines` keeps line feeds.
  package func spellingOutControls(exceptNewlines: Bool = false) -> String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isControl, !(exceptNewlines && scalar == "\n") {
        text += scalar.escaped(asASCII: true)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Joins lines with line feeds after escaping each line, so that a name with a line break cannot
  /// add a line.
  package static func lines(_ lines: [String]) -> String {
    lines.map { $0.spellingOutControls() }.joined(separator: "\n")
  }

  /// The JSON text with characters that change the text's direction, and line ends outside of
  /// ASCII, as `\u` escapes. In JSON, such characters occur only in strings.
  package var withEscapedDirections: String {
    guard unicodeScalars.contains(where: { !$0.isASCII && $0.isControl }) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if !scalar.isASCII, scalar.isControl {
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  /// True if the scalar is invisible and changes the text around it: a control, a line or paragraph
  /// separator, or a change of direction.
  var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: turnsDirection
    }
  }
}
