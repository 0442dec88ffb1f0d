import TesseraTimeline

/// The documentation of one option of a layout.
package struct LayoutParameter: Hashable, Sendable {
  /// The key of the option, as in `key=value`.
  package let key: String
  /// The option's meaning, with its unit.
  package let meaning: String
  /// The allowed values, as text.
  package let values: String
  /// The default, as text.
  package let standard: String
}

/// The options given to a layout, written `key=value` each.
///
/// A layout takes each option that it supports, and so adds the option's documentation to
/// ``known``. ``finish()`` rejects the options that were not taken.
package struct LayoutOptionParser: Sendable {
  /// The layout's name, for messages.
  package let layout: String
  private var remaining: [(key: String, value: String)] = []
  /// The options that the layout has taken so far.
  package private(set) var known: [LayoutParameter] = []

  /// Parses `key=value,key=value`. An empty text has no options.
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

  /// Takes `option`, parsed by `read`; `nil` if the option was not given.
  private mutating func take<Value>(
    _ option: LayoutParameter, expected: String? = nil, _ read: (String) -> Value?
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

  /// Takes a whole number; `nil` if the option was not given. `standard` describes the default.
  package mutating func integer(
    _ key: String, in range: ClosedRange<Int>, else standard: String, _ meaning: String
  ) throws(LayoutError) -> Int? {
    let values = "\(range.lowerBound) to \(range.upperBound)"
    return try take(
      LayoutParameter(key: key, meaning: meaning, values: values, standard: standard),
      expected: "a whole number from \(values)"
    ) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
  }

  /// Takes a number; `nil` if the option was not given. `standard` describes the default.
  package mutating func number(
    _ key: String, in range: ClosedRange<Double>, else standard: String, _ meaning: String
  ) throws(LayoutError) -> Double? {
    let values = "\(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
    return try take(
      LayoutParameter(key: key, meaning: meaning, values: values, standard: standard),
      expected: "a number from \(values)"
    ) { Double($0).flatMap { range.contains($0) ? $0 : nil } }
  }

  /// Takes a number with the default `standard`.
  package mutating func number(
    _ key: String, in range: ClosedRange<Double>, else standard: Double, _ meaning: String
  ) throws(LayoutError) -> Double {
    try number(key, in: range, else: Self.short(standard), meaning) ?? standard
  }

  /// Takes a raw value of `type`; `nil` if the option was not given. `standard` describes the
  /// default.
  package mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ key: String, of type: Choice.Type = Choice.self, else standard: String, _ meaning: String
  ) throws(LayoutError) -> Choice? {
    let values = Choice.allCases.map(\.rawValue).joined(separator: " or ")
    return try take(
      LayoutParameter(key: key, meaning: meaning, values: values, standard: standard),
      Choice.init(rawValue:))
  }

  /// Takes a raw value of `Choice` with the default `standard`.
  package mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ key: String, else standard: Choice, _ meaning: String
  ) throws(LayoutError) -> Choice {
    try choice(key, else: standard.rawValue, meaning) ?? standard
  }

  /// Takes `on` or `off` with the default `standard`.
  package mutating func flag(
    _ key: String, else standard: Bool, _ meaning: String
  ) throws(LayoutError) -> Bool {
    let option = LayoutParameter(
      key: key, meaning: meaning, values: "on or off", standard: standard ? "on" : "off")
    return try take(option) { ["on": true, "off": false][$0] } ?? standard
  }

  /// Takes `width` and `height` in pixels; `nil` if neither was given. A missing side is computed
  /// for 16:9.
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

  /// Throws ``LayoutError/unknownOption(_:layout:known:)`` if an option was not taken.
  package func finish() throws(LayoutError) {
    guard let first = remaining.first else { return }
    throw .unknownOption(first.key, layout: layout, known: known.map(\.key))
  }
}
