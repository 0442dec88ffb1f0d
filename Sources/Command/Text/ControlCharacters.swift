extension String {
  /// This text with control characters spelled out, as names of files may hold such that move a
  /// terminal's cursor or break a line.
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

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }
}
