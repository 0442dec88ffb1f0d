extension DocumentValue {
  /// The document as block-style YAML. Below the top level, short lists and objects of scalars are
  /// written on one line.
  package var yaml: String {
    switch self {
    case .object(let members) where !members.all.isEmpty && !isBeyondYAML:
      var text = ""
      Self.write(members, into: &text, indentation: "")
      return text
    default: return json() + "\n"
    }
  }

  /// True if YAML cannot represent the document: a key exceeds the 1024 characters that YAML allows
  /// before a colon, or a text begins with a byte order mark, which the parser drops. Such a
  /// document is written as JSON, which is valid YAML.
  private var isBeyondYAML: Bool {
    func hasMark(_ text: String) -> Bool { text.unicodeScalars.first == "\u{feff}" }
    return switch self {
    case .text(let text): hasMark(text)
    case .list(let values): values.contains(where: \.isBeyondYAML)
    case .object(let members):
      members.all.contains {
        hasMark($0.key) || Self.scalar($0.key).count > 1000 || $0.value.isBeyondYAML
      }
    default: false
    }
  }

  /// The longest line for a list or an object, in characters.
  private static let lineLength = 110

  private static func write(
    _ members: Members, into text: inout String, indentation: String
  ) {
    for (index, member) in members.all.enumerated() {
      if index > 0 { text += indentation }
      text += scalar(member.key) + ":"
      member.value.write(into: &text, indentation: indentation + "  ")
    }
  }

  /// Writes the value of a key: on the key's line if it fits, otherwise on lines of its own.
  private func write(into text: inout String, indentation: String) {
    if let line = line(within: Self.lineLength - indentation.count) {
      text += " \(line)\n"
      return
    }
    text += "\n" + indentation
    writeBlock(into: &text, indentation: indentation)
  }

  /// Writes a value on lines of its own; the first line is already indented.
  private func writeBlock(into text: inout String, indentation: String) {
    switch self {
    case .list(let values):
      for (index, value) in values.enumerated() {
        text += (index > 0 ? indentation : "") + "- "
        if let line = value.line(within: Self.lineLength - indentation.count) {
          text += line + "\n"
        } else {
          value.writeBlock(into: &text, indentation: indentation + "  ")
        }
      }
    case .object(let members): Self.write(members, into: &text, indentation: indentation)
    default: text += json() + "\n"
    }
  }

  /// Returns the value on one line; `nil` if it is too long or contains lists or objects.
  private func line(within length: Int) -> String? {
    let line: String
    switch self {
    case .text(let value): return Self.scalar(value)
    case .list(let values):
      guard values.isEmpty || !values.contains(where: \.isNested) else { return nil }
      line = "[" + values.map(\.flow).joined(separator: ", ") + "]"
    case .object(let members):
      guard !members.all.contains(where: \.value.isNested) else { return nil }
      let parts = members.all.map { "\(Self.scalar($0.key)): \($0.value.flow)" }
      line = parts.isEmpty ? "{}" : "{ " + parts.joined(separator: ", ") + " }"
    default: return json()
    }
    return line.count <= length ? line : nil
  }

  private var isNested: Bool {
    switch self {
    case .list, .object: true
    default: false
    }
  }

  private var flow: String { text.map(Self.scalar) ?? json() }

  /// Returns text without quotes if it can only be read as that text, otherwise quoted.
  private static func scalar(_ text: String) -> String {
    let words: Set<String> = ["true", "false", "null", "on", "off", "yes", "no", "y", "n"]
    let isPlain =
      text.first.map { $0.isASCII && $0.isLetter } ?? false
      && text.last != " " && !words.contains(text.lowercased())
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || (48...57).contains($0.value))
          || "_-./ ".unicodeScalars.contains($0)
      }
    return isPlain ? text : quoted(text, escaped: misleading(text))
  }

  /// Returns the positions of characters that ``YAMLReader`` could take for an anchor, an alias or
  /// nesting, because its check ignores quotes.
  private static func misleading(_ text: String) -> Set<Int> {
    var positions: Set<Int> = []
    var open: [Int] = []
    var previous: Unicode.Scalar = " "
    for (position, scalar) in text.unicodeScalars.enumerated() {
      switch scalar {
      case "&", "*":
        if previous.value <= 0x20 || "[{,:-?".unicodeScalars.contains(previous) {
          positions.insert(position)
        }
      case "[", "{":
        if open.count >= 8 { positions.insert(position) }
        open.append(position)
      case "]", "}": _ = open.popLast()
      default: break
      }
      previous = scalar
    }
    return positions.union(open)
  }
}
