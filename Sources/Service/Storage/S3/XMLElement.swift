/// An element of the small XML documents that S3 and STS return: names without prefixes, no
/// attributes, no declared entities.
package struct XMLElement: Hashable {
  let name: String
  private(set) var text = ""
  package private(set) var children: [XMLElement] = []

  /// The reason why a document cannot be parsed.
  package struct Problem: Error, Hashable {
    package let reason: String

    static let cutOff = Problem(reason: "it is cut off")
  }

  package static let maximumDepth = 16
  static let maximumSize = 8 << 20

  private init(_ name: String) { self.name = name }

  /// Returns the first child with the name `name`.
  func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// Returns all children with the name `name`.
  func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// Parses a document and returns its root element.
  package static func parse(_ bytes: [UInt8]) throws(Problem) -> XMLElement {
    guard bytes.count <= maximumSize else { throw Problem(reason: "it is too large") }
    var rest = bytes[...]
    var open: [XMLElement] = []
    while let start = rest.firstIndex(of: 0x3c) {
      if let last = open.indices.last { open[last].text += try plain(rest[..<start]) }
      rest = rest[(start + 1)...]
      if rest.starts(with: "!--".utf8) {
        rest = try skip(rest, past: "-->")
        continue
      }
      guard rest.first != 0x21 else { throw Problem(reason: "it has a declaration") }
      guard let end = rest.firstIndex(of: 0x3e) else { throw Problem.cutOff }
      let tag = rest[..<end]
      rest = rest[(end + 1)...]
      if tag.first == 0x3f { continue }
      if tag.first == 0x2f {
        guard let element = open.popLast() else { throw Problem(reason: "a tag is not open") }
        guard element.name == name(tag.dropFirst()) else { throw Problem(reason: "tags cross") }
        guard let parent = open.indices.last else { return element }
        open[parent].children.append(element)
        continue
      }
      let element = XMLElement(name(tag))
      guard tag.last == 0x2f else {
        guard open.count < maximumDepth else { throw Problem(reason: "it is too deep") }
        open.append(element)
        continue
      }
      guard let parent = open.indices.last else { return element }
      open[parent].children.append(element)
    }
    throw Problem.cutOff
  }

  /// Returns the name in a tag, without prefix and attributes.
  private static func name(_ tag: ArraySlice<UInt8>) -> String {
    let whole = tag.prefix { !($0 <= 0x20 || $0 == 0x2f) }
    let local = whole.lastIndex(of: 0x3a).map { whole[($0 + 1)...] } ?? whole
    return String(decoding: local, as: UTF8.self)
  }

  private static func skip(
    _ bytes: ArraySlice<UInt8>, past end: String
  ) throws(Problem) -> ArraySlice<UInt8> {
    guard let range = bytes.firstRange(of: Array(end.utf8)) else {
      throw Problem.cutOff
    }
    return bytes[range.upperBound...]
  }

  /// Returns text with its character references decoded.
  private static func plain(_ bytes: ArraySlice<UInt8>) throws(Problem) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("&") else { return text }
    var result = ""
    for (number, part) in text.split(separator: "&", omittingEmptySubsequences: false).enumerated()
    {
      guard number > 0 else {
        result += part
        continue
      }
      guard let end = part.firstIndex(of: ";"), let character = character(part[..<end]) else {
        throw Problem(reason: "it has an unknown entity")
      }
      result.append(character)
      result += part[part.index(after: end)...]
    }
    return result
  }

  private static func character(_ name: Substring) -> Character? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let isHexadecimal = name.dropFirst().first == "x"
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      let code = UInt32(digits, radix: isHexadecimal ? 16 : 10)
      return code.flatMap(Unicode.Scalar.init).map(Character.init)
    }
  }
}
