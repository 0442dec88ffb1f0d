extension DocumentValue {
  /// Formats the document as JSON, on one line or indented by two spaces per level.
  package func json(isIndented: Bool = false) -> String {
    var text = ""
    writeJSON(into: &text, indentation: isIndented ? "\n" : nil)
    return text
  }

  private func writeJSON(into text: inout String, indentation: String?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let numeral): text += numeral.json
    case .text(let value): text += Self.quoted(value)
    case .list(let values):
      Self.write(values, "[", "]", into: &text, indentation) { value, text, indentation in
        value.writeJSON(into: &text, indentation: indentation)
      }
    case .object(let members):
      Self.write(members.all, "{", "}", into: &text, indentation) { member, text, indentation in
        text += Self.quoted(member.key) + (indentation == nil ? ":" : ": ")
        member.value.writeJSON(into: &text, indentation: indentation)
      }
    }
  }

  private static func write<Value>(
    _ values: [Value], _ opening: String, _ closing: String, into text: inout String,
    _ indentation: String?, _ write: (Value, inout String, String?) -> Void
  ) {
    text += opening
    let inner = indentation.map { $0 + "  " }
    for (index, value) in values.enumerated() {
      text += (index > 0 ? "," : "") + (inner ?? "")
      write(value, &text, inner)
    }
    text += (values.isEmpty ? "" : indentation ?? "") + closing
  }

  /// Returns the text in double quotes, valid in JSON and YAML. The scalars at the positions in
  /// `escaped` are written as `\u` escapes.
  static func quoted(_ text: String, escaped: Set<Int> = []) -> String {
    var result = "\""
    for (position, scalar) in text.unicodeScalars.enumerated() {
      switch scalar {
      case _ where escaped.contains(position): result += number(scalar)
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where needsEscape(scalar): result += number(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns the `\u` escape of a scalar below 65536.
  private static func number(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// True for controls, line separators and scalars that YAML does not allow unescaped. All are
  /// below 65536.
  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f...0x9f, 0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff: true
    default: false
    }
  }
}

extension DecimalLiteral {
  /// The number in JSON's form, which has no `+5`, `.5`, `5.` or `007`.
  fileprivate var json: String {
    let isNegative = text.hasPrefix("-")
    let unsigned = text.drop { $0 == "-" || $0 == "+" }
    let mark = unsigned.firstIndex { $0 == "e" || $0 == "E" } ?? unsigned.endIndex
    let parts = unsigned[..<mark].split(separator: ".", omittingEmptySubsequences: false)
    let whole = parts[0].drop { $0 == "0" }
    let fraction = parts.count > 1 && !parts[1].isEmpty ? ".\(parts[1])" : ""
    return (isNegative ? "-" : "") + (whole.isEmpty ? "0" : whole) + fraction + unsigned[mark...]
  }
}
