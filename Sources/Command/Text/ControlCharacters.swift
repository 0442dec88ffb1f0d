import TesseraTimeline

extension String {
  /// This text with characters spelled out that would change what stands around it: controls, which
  /// move a terminal's cursor or break a line, and what turns the direction of text, so that a name
  /// reads as another. All text from recordings goes through here before a terminal shows it.
  func spellingOutControls(exceptNewlines: Bool = false) -> String {
    guard unicodeScalars.contains(where: { Self.isControl($0) }) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if Self.isControl(scalar), !(exceptNewlines && scalar == "\n") {
        text += scalar.escaped(asASCII: true)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// These lines, each of which stays one whatever names are in it.
  static func lines(_ lines: [String]) -> String {
    lines.map { $0.spellingOutControls() }.joined(separator: "\n")
  }

  /// This text of JSON with what turns the direction of text, and line ends that are none of
  /// JSON's, as escapes; JSON has them in strings only.
  var withEscapedDirections: String {
    guard unicodeScalars.contains(where: { $0.isASCII == false && Self.isControl($0) }) else {
      return self
    }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if !scalar.isASCII, Self.isControl(scalar) {
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.turnsDirection
    }
  }
}
