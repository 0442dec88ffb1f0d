extension String {
  /// This text with characters spelled out that would change what stands around it: controls, which
  /// move a terminal's cursor or break a line, and what turns the direction of text, so that a name
  /// reads as another. All text from recordings goes through here before people see it.
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

  /// These lines, each of which stays one whatever names are in it.
  package static func lines(_ lines: [String]) -> String {
    lines.map { $0.spellingOutControls() }.joined(separator: "\n")
  }

  /// This text of JSON with what turns the direction of text, and line ends that are none of
  /// JSON's, as escapes; JSON has them in strings only.
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
  /// Whether it shows nothing itself and changes what stands around it.
  var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: turnsDirection
    }
  }
}
