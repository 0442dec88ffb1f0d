package import TesseraLayout

/// Somebody who is always seen in a place that nothing else takes: `PERSON[:size=…,place=…]`.
package struct KeptPerson: Hashable, Sendable, OptionValue {
  /// The participant, by any of their names.
  package var person: String
  /// The share of the canvas's width, or along the top or bottom of its height, 0.05...0.5.
  package var size = 0.2
  /// The edge along which the place lies.
  package var place = FilmstripLayout.Position.right

  private static let sizes = 0.05...0.5

  package init?(option text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    // A name may hold colons of its own.
    let hasOptions = parts.count > 1 && parts[parts.count - 1].contains("=")
    person = parts.dropLast(hasOptions ? 1 : 0).joined(separator: ":")
    guard !person.isEmpty else { return nil }
    guard hasOptions else { return }
    for option in parts[parts.count - 1].split(separator: ",") {
      let pair = option.split(separator: "=", maxSplits: 1).map(String.init)
      switch (pair.first, pair.last) {
      case ("size", let value?):
        guard let number = Double(value), Self.sizes.contains(number) else { return nil }
        size = number
      case ("place", let value?):
        guard let edge = FilmstripLayout.Position(rawValue: value) else { return nil }
        place = edge
      default: return nil
      }
    }
  }

  package var optionText: String { "\(person):size=\(size),place=\(place.rawValue)" }
}
