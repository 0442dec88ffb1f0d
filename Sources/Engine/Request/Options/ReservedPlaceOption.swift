package import TesseraLayout

/// A participant that is always visible in a reserved part of the canvas, such as an interpreter:
/// `PERSON[:size=…,place=…]`.
package struct ReservedPlaceOption: Hashable, Sendable, OptionValue {
  /// The participant, by any of their names.
  package var person: String
  /// The reserved share of the canvas, `0.05...0.5`: of its width for a place at the left or right
  /// edge, of its height at the top or bottom.
  package var size = 0.2
  /// The canvas edge at which the participant is shown.
  package var place = FilmstripLayout.Position.right

  private static let sizes = 0.05...0.5

  package init?(option text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    // The name may contain colons, so only a last part with `=` holds options.
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
