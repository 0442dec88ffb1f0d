/// Layout files: regions as JSON, or a stylesheet.
package enum LayoutFileParser {
  /// The maximum size of a layout file in bytes: 1 MiB.
  package static let maximumSize = 1 << 20

  /// Parses a layout file.
  ///
  /// `text` is JSON if its first character after blanks and comments is a brace or bracket,
  /// otherwise a stylesheet.
  package static func policy(_ text: String) throws(LayoutError) -> any LayoutPolicy {
    guard text.utf8.count <= maximumSize else {
      throw .invalidFile(reason: "it is larger than a megabyte, which no layout is")
    }
    switch firstLetter(of: text[...]) {
    case "{", "[": return try RegionLayout(json: text)
    default: return try StylesheetLayout(text)
    }
  }

  private static func firstLetter(of text: Substring) -> Character? {
    var rest = text.drop(while: \.isWhitespace)
    while rest.hasPrefix("//") || rest.hasPrefix("/*") {
      let end = rest.hasPrefix("//") ? "\n" : "*/"
      rest = rest.firstRange(of: end).map { rest[$0.upperBound...] } ?? ""
      rest = rest.drop(while: \.isWhitespace)
    }
    return rest.first
  }
}
