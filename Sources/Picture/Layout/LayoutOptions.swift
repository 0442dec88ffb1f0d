import TesseraTimeline

/// An option of a layout, as it is listed.
package struct LayoutOption: Hashable, Sendable {
  /// The key by which it is written.
  package let key: String
  /// What it says, and in what unit.
  package let meaning: String
  /// The values that it can have.
  package let values: String
  /// What holds without it.
  package let standard: String
}

/// The options of a layout as they were written, `key=value` each; a layout takes those it knows,
/// says what they are, and what remains is refused.
package struct LayoutOptions: Sendable {
  /// The layout's name, for messages.
  package let layout: String
  private var remaining: [(key: String, value: String)] = []
  /// The options that the layout has asked for.
  package private(set) var known: [LayoutOption] = []

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

  /// Takes the value of `option`, which `read` makes of what was written; nil where nothing was.
  private mutating func take<Value>(
    _ option: LayoutOption, expected: String? = nil, _ read: (String) -> Value?
  ) throws(LayoutError) -> Value? {
    known.append(option)
    guard let index = remaining.firstIndex(where: { $0.key == option.key }) else { return nil }
    let text = remaining.remove(at: index).value
    guard let value = read(text) else {
      throw .invalidOption(
        key: option.key, value: text, layout: layout, expected: expected ?? option.values)
    }
    return value
  }

  /// Takes a whole number; `standard` says what holds without it.
  package mutating func integer(
    _ key: String, in range: ClosedRange<Int>, else standard: String, _ meaning: String
  ) throws(LayoutError) -> Int? {
    let values = "\(range.lowerBound) to \(range.upperBound)"
    return try take(
      LayoutOption(key: key, meaning: meaning, values: values, standard: standard),
      expected: "a whole number from \(values)"
    ) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
  }

  /// Takes a number; `standard` says what holds without it.
  package mutating func number(
    _ key: String, in range: ClosedRange<Double>, else standard: String, _ meaning: String
  ) throws(LayoutError) -> Double? {
    let values = "\(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
    return try take(
      LayoutOption(key: key, meaning: meaning, values: values, standard: standard),
      expected: "a number from \(values)"
    ) { Double($0).flatMap { range.contains($0) ? $0 : nil } }
  }

  /// Takes a number, which is `standard` where none is given.
  package mutating func number(
    _ key: String, in range: ClosedRange<Double>, else standard: Double, _ meaning: String
  ) throws(LayoutError) -> Double {
    try number(key, in: range, else: Self.short(standard), meaning) ?? standard
  }

  /// Takes one of the raw values of `type`; `standard` says what holds without it.
  package mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ key: String, of type: Choice.Type = Choice.self, else standard: String, _ meaning: String
  ) throws(LayoutError) -> Choice? {
    let values = Choice.allCases.map(\.rawValue).joined(separator: " or ")
    return try take(
      LayoutOption(key: key, meaning: meaning, values: values, standard: standard),
      Choice.init(rawValue:))
  }

  /// Takes one of the raw values of a type, which is `standard` where none is given.
  package mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ key: String, else standard: Choice, _ meaning: String
  ) throws(LayoutError) -> Choice {
    try choice(key, else: standard.rawValue, meaning) ?? standard
  }

  /// Takes `on` or `off`.
  package mutating func flag(
    _ key: String, else standard: Bool, _ meaning: String
  ) throws(LayoutError) -> Bool {
    let option = LayoutOption(
      key: key, meaning: meaning, values: "on or off", standard: standard ? "on" : "off")
    return try take(option) { ["on": true, "off": false][$0] } ?? standard
  }

  /// Takes `width` and `height`; one of them alone makes the size 16:9.
  package mutating func size(else standard: String) throws(LayoutError) -> Size? {
    let (pixels, alone) = (1.0...16384, "in pixels; alone, it makes the tiles 16:9")
    let width = try number("width", in: pixels, else: standard, "the tiles' width \(alone)")
    let height = try number("height", in: pixels, else: standard, "the tiles' height \(alone)")
    guard let known = width ?? height else { return nil }
    return Size(
      width: width ?? known * 16 / 9, height: height ?? known * 9 / 16)
  }

  private static func short(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(saturating: number))" : "\(number)"
  }

  /// Refuses what no one took.
  package func finish() throws(LayoutError) {
    guard let first = remaining.first else { return }
    throw .unknownOption(first.key, layout: layout, known: known.map(\.key))
  }
}
