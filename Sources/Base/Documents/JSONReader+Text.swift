extension JSONReader {
  /// Skips white space and, if lenient, comments.
  mutating func skipBlanks() throws(DocumentError) {
    while let byte = next {
      switch byte {
      case 0x20, 0x09, 0x0a, 0x0d: position += 1
      case UInt8(ascii: "/") where isLenient: try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(DocumentError) {
    let start = position
    position += 1
    switch next {
    case UInt8(ascii: "/"):
      while let byte = next, byte != 0x0a { position += 1 }
    case UInt8(ascii: "*"):
      position += 1
      while position + 1 < bytes.count {
        if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
          position += 2
          return
        }
        position += 1
      }
      position = start
      throw error("a comment does not end")
    default:
      position = start
      throw error("a value is expected")
    }
  }

  mutating func text() throws(DocumentError) -> String {
    position += 1
    var units: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: units, as: UTF8.self) else {
          throw error("text is not UTF-8")
        }
        position += 1
        return text
      case UInt8(ascii: "\\"):
        position += 1
        try escape(into: &units)
      case 0..<0x20: throw error("text holds a control character")
      default:
        units.append(byte)
        position += 1
      }
    }
    throw error("it ends too early")
  }

  /// The characters that follow a backslash, and their values.
  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5c, UInt8(ascii: "/"): 0x2f,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0c, UInt8(ascii: "n"): 0x0a,
    UInt8(ascii: "r"): 0x0d, UInt8(ascii: "t"): 0x09,
  ]

  /// Reads an escape after its backslash and appends its UTF-8 bytes to `units`.
  private mutating func escape(into units: inout [UInt8]) throws(DocumentError) {
    guard let letter = next else { throw error("it ends too early") }
    position += 1
    if let byte = Self.escapes[letter] {
      units.append(byte)
      return
    }
    guard letter == UInt8(ascii: "u") else { throw error("text holds an unknown escape") }
    var code = try hexadecimal()
    if (0xd800..<0xdc00).contains(code), bytes[position...].starts(with: [0x5c, 0x75]) {
      let before = position
      position += 2
      let low = try hexadecimal()
      if (0xdc00..<0xe000).contains(low) {
        code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
      } else {
        position = before
      }
    }
    // An unpaired surrogate becomes U+FFFD. Recorders that truncate text leave some.
    units.append(contentsOf: Character(Unicode.Scalar(code) ?? "\u{fffd}").utf8)
  }

  /// Reads four hexadecimal digits.
  private mutating func hexadecimal() throws(DocumentError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw error("text holds an unknown escape")
      }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }
}
