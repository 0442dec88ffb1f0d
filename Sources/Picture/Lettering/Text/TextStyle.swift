package import TesseraPixels

/// How text is drawn.
package struct TextStyle: Hashable, Sendable {
  /// How heavy the strokes are.
  package enum Weight: String, Hashable, Sendable, Codable, CaseIterable {
    case regular
    case medium
    case bold
  }

  /// The families to take letters from, the best first. Letters that none of them has come from
  /// what else is installed.
  package var families: [String]
  /// How heavy the strokes are; a weight that is not installed becomes the nearest.
  package var weight: Weight
  /// The size in pixels: about the height of a letter with all its space.
  package var size: Double
  /// The color of all that has none of its own.
  package var color: Color
  /// Whether all digits are as wide as each other.
  package var hasEvenDigits = false

  /// Text `size` pixels high in the first of `families` that is there.
  package init(families: [String], weight: Weight = .regular, size: Double, color: Color = .white) {
    self.families = families
    self.weight = weight
    self.size = size
    self.color = color
  }
}
