import TesseraMessages

/// A strict parser for JSON (RFC 8259): duplicate keys are errors, and numbers keep their digits.
struct JSONReader {
  let bytes: [UInt8]
  private let file: String
  /// True if comments and trailing commas are accepted.
  let isLenient: Bool
  /// The index of the next byte.
  var position = 0
  /// The number of values read, limited to ``DocumentValue/maximumCount``.
  private var count = 0

  /// Parses a whole document; throws if anything follows it.
  static func read(
    _ bytes: [UInt8], file: String, isLenient: Bool
  ) throws(DocumentError) -> DocumentValue {
    var reader = JSONReader(bytes: bytes, file: file, isLenient: isLenient)
    try reader.skipBlanks()
    let document = try reader.value(depth: 0)
    try reader.skipBlanks()
    guard reader.position == bytes.count else { throw reader.error("more follows after its end") }
    return document
  }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func value(depth: Int) throws(DocumentError) -> DocumentValue {
    count += 1
    guard count <= DocumentValue.maximumCount else {
      throw plain("it holds more than \(DocumentValue.maximumCount) values")
    }
    switch next {
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .list(try list(depth: depth + 1))
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case .some(let byte) where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      return .number(try number())
    case .some: throw error("a value is expected")
    case nil: throw error("it ends too early")
    }
  }

  private mutating func object(depth: Int) throws(DocumentError) -> DocumentValue.Members {
    try enter(depth)
    var (members, names) = (DocumentValue.Members(), Set<String>())
    while try begins(next: UInt8(ascii: "}"), isFirst: members.all.isEmpty) {
      guard next == UInt8(ascii: "\"") else { throw error("a key in quotes is expected") }
      let key = try text()
      guard names.insert(key).inserted else {
        throw error("the key \"\(key.shortened)\" occurs twice")
      }
      try skipBlanks()
      guard next == UInt8(ascii: ":") else { throw error("a colon is expected") }
      position += 1
      try skipBlanks()
      members.append(key, try value(depth: depth))
    }
    return members
  }

  private mutating func list(depth: Int) throws(DocumentError) -> [DocumentValue] {
    try enter(depth)
    var values: [DocumentValue] = []
    while try begins(next: UInt8(ascii: "]"), isFirst: values.isEmpty) {
      values.append(try value(depth: depth))
    }
    return values
  }

  /// Skips an opening bracket and checks the nesting.
  private mutating func enter(_ depth: Int) throws(DocumentError) {
    guard depth <= DocumentValue.maximumDepth else {
      throw plain("it is nested more than \(DocumentValue.maximumDepth) deep")
    }
    position += 1
  }

  /// Returns true if another member follows, after skipping the comma before it; otherwise skips
  /// `end`.
  private mutating func begins(
    next end: UInt8, isFirst: Bool
  ) throws(DocumentError) -> Bool {
    try skipBlanks()
    if next == end {
      position += 1
      return false
    }
    guard !isFirst else { return true }
    guard next == UInt8(ascii: ",") else {
      throw error(next == nil ? "it ends too early" : "a comma is expected")
    }
    position += 1
    try skipBlanks()
    guard isLenient, next == end else { return true }
    position += 1
    return false
  }

  private mutating func word(
    _ word: StaticString, _ value: DocumentValue
  ) throws(DocumentError) -> DocumentValue {
    let letters = Array("\(word)".utf8)
    guard bytes[position...].starts(with: letters) else { throw error("a value is expected") }
    position += letters.count
    return value
  }

  private mutating func number() throws(DocumentError) -> DecimalLiteral {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let first = next
    guard digits() > 0 else { throw error("a digit is expected") }
    if first == UInt8(ascii: "0"), digitsBefore(start) > 1 {
      position = start
      throw error("a number begins with 0")
    }
    if next == UInt8(ascii: ".") {
      position += 1
      guard digits() > 0 else { throw error("a digit is expected") }
    }
    if let mark = next, mark | 0x20 == UInt8(ascii: "e") {
      position += 1
      if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { position += 1 }
      guard digits() > 0 else { throw error("a digit is expected") }
    }
    let length = position - start
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard length <= DecimalLiteral.longest, let numeral = DecimalLiteral(text) else {
      position = start
      throw error("a number has too many digits")
    }
    return numeral
  }

  private func digitsBefore(_ start: Int) -> Int {
    position - start - (bytes[start] == UInt8(ascii: "-") ? 1 : 0)
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = next, Self.isDigit(byte) { position += 1 }
    return position - start
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  /// Returns the error `what` with the current line and column; without the line if there is one
  /// line only.
  func error(_ what: String) -> DocumentError {
    let what = position < bytes.count ? what : "it ends too early"
    let before = bytes[..<min(position, bytes.count)]
    let line = before.reduce(1) { $0 + ($1 == 0x0a ? 1 : 0) }
    let column = before.count - (before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0) + 1
    let place = bytes.contains(0x0a) ? "line \(line), column \(column)" : "column \(column)"
    return plain("it is not JSON: in \(place), \(what)")
  }

  private func plain(_ reason: UserMessage) -> DocumentError {
    DocumentError(file: file, reason: reason)
  }
}
