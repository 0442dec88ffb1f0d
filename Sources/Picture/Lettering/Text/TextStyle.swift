/// The font families, weight and size of text.
package struct TextStyle: Hashable, Sendable {
  /// The weight of the font.
  package enum Weight: String, Hashable, Sendable, Codable, CaseIterable {
    case regular
    case medium
    case bold
  }

  /// The font families in order of preference. Characters that none of them has come from other
  /// installed fonts.
  package var families: [String]
  /// The weight; if it is not installed, the nearest one is used.
  package var weight = Weight.regular
  /// The font size in pixels.
  package var size: Double
  /// True if all digits have equal width (tabular figures).
  package var hasEvenDigits = false
}
