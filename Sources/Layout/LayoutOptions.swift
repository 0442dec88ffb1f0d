/// The options of a layout as they were written, `key=value` each; a layout takes those it knows
/// and what remains is refused.
package struct LayoutOptions: Sendable {
  /// The layout's name, for messages.
  package let layout: String
  private var remaining: [(key: String, value: String)] = []
  private var known: [String] = []

  /// Reads `key=value,key=value`; no text means no options.
  package init(layout: String, text: Substring = "") throws(LayoutError) {
    self.layout = layout
    guard !text.isEmpty else { return }
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, !pair[0].isEmpty, !remaining.contains(where: { $0.key == pair[0] })
      else { throw .malformedOption(String(part), layout: layout) }
      remaining.append((String(pair[0]), String(pair[1])))
    }
  }

  /// The keys that the layout has asked for.
  package var knownKeys: [String] { known }

  /// Takes the value of `key` as it was written.
  package mutating func text(_ key: String) -> String? {
    known.append(key)
    guard let index = remaining.firstIndex(where: { $0.key == key }) else { return nil }
    return remaining.remove(at: index).value
  }

  /// Takes a whole number.
  package mutating func integer(
    _ key: String, in range: ClosedRange<Int>
  ) throws(LayoutError) -> Int? {
    guard let value = text(key) else { return nil }
    guard let number = Int(value), range.contains(number) else {
      throw invalid(
        key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Takes a number.
  package mutating func number(
    _ key: String, in range: ClosedRange<Double>
  ) throws(LayoutError) -> Double? {
    guard let value = text(key) else { return nil }
    guard let number = Double(value), range.contains(number) else {
      throw invalid(key, value, "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Takes one of the raw values of `type`.
  package mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ key: String, of type: Choice.Type = Choice.self
  ) throws(LayoutError) -> Choice? {
    guard let value = text(key) else { return nil }
    guard let choice = Choice(rawValue: value) else {
      throw invalid(key, value, Choice.allCases.map(\.rawValue).joined(separator: " or "))
    }
    return choice
  }

  /// Takes `on` or `off`.
  package mutating func flag(_ key: String) throws(LayoutError) -> Bool? {
    guard let value = text(key) else { return nil }
    guard value == "on" || value == "off" else { throw invalid(key, value, "on or off") }
    return value == "on"
  }

  /// Takes `width` and `height`; one of them alone makes the size 16:9.
  package mutating func size() throws(LayoutError) -> Size? {
    let width = try number("width", in: 1...16384)
    let height = try number("height", in: 1...16384)
    guard let known = width ?? height else { return nil }
    return Size(
      width: width ?? known * 16 / 9, height: height ?? known * 9 / 16)
  }

  /// Refuses what no one took.
  package func finish() throws(LayoutError) {
    guard let first = remaining.first else { return }
    throw .unknownOption(first.key, layout: layout, known: known)
  }

  private func invalid(_ key: String, _ value: String, _ expected: String) -> LayoutError {
    .invalidOption(key: key, value: value, layout: layout, expected: expected)
  }
}
