/// A selector of a stylesheet, such as `stream.focus:first-child:nth-last-child(3) ~ stream`.
struct StyleSelector: Hashable, Sendable {
  /// A condition on one element.
  enum Condition: Hashable, Sendable {
    case id(String)
    case hasClass(String)
    /// The element is the nth child, counted from 1 at the start.
    case child(Int)
    /// The element is the nth child, counted from 1 at the end.
    case lastChild(Int)
  }

  /// All conditions on one element.
  struct Compound: Hashable, Sendable {
    var namesType = false
    var conditions: [Condition] = []
  }

  /// The ids and classes of an element, which selectors match.
  struct Element {
    let ids: [String]
    let classes: [String]
  }

  /// The compounds between `~`; the last one applies to the selected element itself.
  let siblings: [Compound]

  /// The numbers of ids, of classes and pseudo-classes, and of type names, compared in this order;
  /// the greater specificity wins.
  var specificity: (ids: Int, classes: Int, types: Int) {
    let conditions = siblings.flatMap(\.conditions)
    let ids = conditions.count { if case .id = $0 { true } else { false } }
    return (ids, conditions.count - ids, siblings.count { $0.namesType })
  }

  /// True if the element at `index` of `elements`, all children of one parent, is selected.
  func selects(_ index: Int, of elements: [Element]) -> Bool {
    guard let own = siblings.last, own.matches(index, of: elements) else { return false }
    // Every `~` needs some earlier sibling; the latest match leaves the most for the rest.
    var limit = index
    for sibling in siblings.dropLast().reversed() {
      guard let found = sibling.lastMatch(before: limit, of: elements) else { return false }
      limit = found
    }
    return true
  }
}

extension StyleSelector.Compound {
  /// Returns the index of the last element before `limit` that satisfies all conditions; `nil` if
  /// there is none.
  fileprivate func lastMatch(before limit: Int, of elements: [StyleSelector.Element]) -> Int? {
    for condition in conditions {
      // Only one element is at a given position.
      let only: Int
      switch condition {
      case .id, .hasClass: continue
      case .child(let position): only = position - 1
      case .lastChild(let position): only = elements.count - position
      }
      return (0..<limit).contains(only) && matches(only, of: elements) ? only : nil
    }
    return (0..<limit).last { matches($0, of: elements) }
  }

  fileprivate func matches(_ index: Int, of elements: [StyleSelector.Element]) -> Bool {
    conditions.allSatisfy { condition in
      switch condition {
      case .id(let id): elements[index].ids.contains(id)
      case .hasClass(let name): elements[index].classes.contains(name)
      case .child(let position): index + 1 == position
      case .lastChild(let position): elements.count - index == position
      }
    }
  }
}

extension StyleSelector {
  /// Parses a selector of the supported subset; returns `nil` for any other.
  init?(_ text: String) {
    var siblings: [Compound] = []
    for part in text.split(separator: "~", omittingEmptySubsequences: false) {
      guard let compound = Compound(part.trimmed) else { return nil }
      siblings.append(compound)
    }
    self.siblings = siblings
  }
}

extension StyleSelector.Compound {
  /// Parses the text between two `~`.
  fileprivate init?(_ text: Substring) {
    guard !text.isEmpty else { return nil }
    var rest = text
    if rest.hasPrefix("stream") {
      namesType = true
      rest = rest.dropFirst("stream".count)
    } else if rest.hasPrefix("*") {
      rest = rest.dropFirst()
    }
    while let mark = rest.first {
      let end = rest.dropFirst().firstIndex { ".#:".contains($0) } ?? rest.endIndex
      let name = rest[rest.index(after: rest.startIndex)..<end]
      guard let condition = Self.condition(mark, name) else { return nil }
      conditions.append(condition)
      rest = rest[end...]
    }
  }

  private static func condition(
    _ mark: Character, _ name: Substring
  ) -> StyleSelector.Condition? {
    switch mark {
    case "." where name.isStyleName: .hasClass(String(name))
    case "#" where name.isStyleName: .id(String(name))
    case ":": pseudoClass(name)
    default: nil
    }
  }

  private static func pseudoClass(_ name: Substring) -> StyleSelector.Condition? {
    if name == "first-child" { return .child(1) }
    if name == "last-child" { return .lastChild(1) }
    guard let open = name.firstIndex(of: "("), name.last == ")",
      let position = Int(name[name.index(after: open)...].dropLast().trimmed), position > 0
    else { return nil }
    switch name[..<open] {
    case "nth-child": return .child(position)
    case "nth-last-child": return .lastChild(position)
    default: return nil
    }
  }
}

extension StringProtocol {
  /// The text without whitespace at its ends.
  var trimmed: SubSequence {
    let start = drop(while: \.isWhitespace).startIndex
    guard let last = lastIndex(where: { !$0.isWhitespace }) else { return self[endIndex...] }
    return self[start...last]
  }

  /// True if the text is a nonempty name of letters, digits, `-` and `_`.
  fileprivate var isStyleName: Bool {
    !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }
}
