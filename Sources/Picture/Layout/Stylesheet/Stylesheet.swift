/// The rules of a stylesheet in a small subset of CSS: selectors of `stream` elements
/// (``StyleSelector``) and the properties that place and decorate them (``StyleProperty/all``).
struct Stylesheet: Sendable {
  private struct Rule: Sendable {
    let selector: StyleSelector
    let changes: [StyleProperty.Change]
  }

  /// The rules in the order in which they apply: by ascending specificity, then as written.
  private let rules: [Rule]

  /// Parses `text`.
  ///
  /// - Throws: ``LayoutError/unsupportedStyle(_:line:)`` for the first unsupported feature.
  init(_ text: String) throws(LayoutError) {
    var rules: [Rule] = []
    var reader = StylesheetParser(text)
    while let (prelude, preludeLine) = try reader.read(upTo: "{") {
      guard let (body, bodyLine) = try reader.read(upTo: "}") else {
        throw .unsupportedStyle("a rule without an end", line: preludeLine)
      }
      let changes = try Self.changes(body, line: bodyLine)
      for part in prelude.split(separator: ",", omittingEmptySubsequences: false) {
        let text = String(part.trimmed)
        guard let selector = StyleSelector(text) else {
          throw .unsupportedStyle("the selector \"\(text)\"", line: preludeLine)
        }
        rules.append(Rule(selector: selector, changes: changes))
      }
    }
    self.rules = rules.enumerated().sorted { a, b in
      let (p, q) = (a.element.selector.specificity, b.element.selector.specificity)
      return (p.ids, p.classes, p.types, a.offset) < (q.ids, q.classes, q.types, b.offset)
    }.map(\.element)
  }

  /// Returns the style of the element at `index` of `elements`.
  func style(of index: Int, in elements: [StyleSelector.Element]) -> ElementStyle {
    var style = ElementStyle()
    for rule in rules where rule.selector.selects(index, of: elements) {
      for change in rule.changes { change(&style) }
    }
    return style
  }

  /// Parses the declarations between two braces; `line` is the line of the first.
  private static func changes(
    _ body: String, line: Int
  ) throws(LayoutError) -> [StyleProperty.Change] {
    var line = line
    var changes: [StyleProperty.Change] = []
    for declaration in body.split(separator: ";", omittingEmptySubsequences: false) {
      let start = line + declaration.prefix(while: \.isWhitespace).count(where: \.isNewline)
      line += declaration.count(where: \.isNewline)
      guard !declaration.trimmed.isEmpty else { continue }
      let parts = declaration.split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].trimmed
      guard let property = StyleProperty.all[name.lowercased()] else {
        throw .unsupportedStyle("the property \"\(name)\"", line: start)
      }
      let value = parts.count > 1 ? parts[1].trimmed : ""
      guard let change = property.read(value.split(whereSeparator: \.isWhitespace)) else {
        throw .unsupportedStyle("the value \"\(value)\" of \"\(name)\"", line: start)
      }
      changes.append(change)
    }
    return changes
  }
}

/// Splits a stylesheet at braces and counts its lines.
private struct StylesheetParser {
  private var rest: Substring
  private var line = 1

  init(_ text: String) { rest = text[...] }

  /// Returns the text up to the brace `end`, without comments, and its first line; `nil` if only
  /// whitespace is left.
  mutating func read(upTo end: Character) throws(LayoutError) -> (text: String, line: Int)? {
    var text = ""
    var start = line
    while let next = rest.first {
      if rest.hasPrefix("/*") {
        skipComment()
        continue
      }
      rest.removeFirst()
      if next == end { return (text, start) }
      guard next != "{", next != "}" else {
        throw .unsupportedStyle("a brace in the wrong place", line: line)
      }
      if next.isNewline { line += 1 }
      if text.isEmpty, next.isWhitespace, end == "{" {
        start = line
      } else {
        text.append(next)
      }
    }
    guard text.trimmed.isEmpty else {
      throw .unsupportedStyle("a rule without an end", line: start)
    }
    return nil
  }

  private mutating func skipComment() {
    rest = rest.dropFirst(2)
    while !rest.isEmpty, !rest.hasPrefix("*/") {
      if rest.removeFirst().isNewline { line += 1 }
    }
    rest = rest.dropFirst(2)
  }
}
