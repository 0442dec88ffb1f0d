/// Why a layout cannot be used: one sentence that names the key and says what to do.
public enum LayoutError: Error, Hashable, Sendable {
  /// No layout has that name.
  case unknownLayout(String, known: [String])
  /// The layout has no option of that name.
  case unknownOption(String, layout: String, known: [String])
  /// An option is not written as `key=value`, or stands there twice.
  case malformedOption(String, layout: String)
  /// An option's value is not one of those that are allowed.
  case invalidOption(key: String, value: String, layout: String, expected: String)
  /// The canvas has no area.
  case emptyCanvas(Size)
  /// A layout file cannot be understood.
  case invalidFile(reason: String)
  /// A key of a layout file has a value that it cannot have.
  case invalidValue(key: String, reason: String)
  /// A stylesheet uses what is not supported.
  case unsupportedStyle(String, line: Int)
}

extension LayoutError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownLayout(let name, let known):
      "unknown layout \"\(name)\": \(Self.suggestion(for: name, among: known, kind: "layouts"))"
    case .unknownOption(let key, let layout, let known) where known.isEmpty:
      "layout \"\(layout)\" has no options: remove \"\(key)\"."
    case .unknownOption(let key, let layout, let known):
      "layout \"\(layout)\" has no option \"\(key)\": "
        + Self.suggestion(for: key, among: known, kind: "options")
    case .malformedOption(let text, let layout):
      "layout \"\(layout)\" cannot read the option \"\(text)\": write each as key=value, once."
    case .invalidOption(let key, let value, let layout, let expected):
      "layout \"\(layout)\" cannot take \(key)=\(value): give \(expected)."
    case .emptyCanvas(let size):
      "a canvas of \(size.width) by \(size.height) pixels has no area: give both sides above 0."
    case .invalidFile(let reason):
      "the layout file cannot be read: \(reason)."
    case .invalidValue(let key, let reason):
      "the layout file's \"\(key)\" \(reason)" + (reason.hasSuffix("?") ? "" : ".")
    case .unsupportedStyle(let what, let line):
      "the stylesheet uses \(what) in line \(line), which is not supported: remove it."
    }
  }

  private static func suggestion(for name: String, among known: [String], kind: String) -> String {
    if let nearest = name.nearest(among: known) { return "did you mean \"\(nearest)\"?" }
    return "the \(kind) are \(known.joined(separator: ", "))."
  }
}

extension String {
  /// The one of `candidates` that takes the fewest edits to write from this; nil where that is
  /// more than a third of its letters, or two.
  package func nearest(among candidates: [String]) -> String? {
    let distances = candidates.map { (name: $0, distance: editDistance(to: $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, best.name.count / 3) ? best.name : nil
  }

  /// The number of letters inserted, deleted or replaced to write `other` (Levenshtein).
  private func editDistance(to other: String) -> Int {
    let letters = Array(other.lowercased())
    var row = Array(0...letters.count)
    for (index, letter) in lowercased().enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in letters.indices {
        let replaced = diagonal + (letter == letters[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[letters.count]
  }
}
