public import TesseraPixels

/// How text is drawn.
public struct TextStyle: Hashable, Sendable {
  /// How heavy the strokes are.
  public enum Weight: String, Hashable, Sendable, Codable, CaseIterable {
    case regular
    case medium
    case bold
  }

  /// The families to take letters from, the best first. Letters that none of them has come from
  /// what else is installed.
  public var families: [String]
  /// How heavy the strokes are; a weight that is not installed becomes the nearest.
  public var weight: Weight
  /// The size in pixels: about the height of a letter with all its space.
  public var size: Double
  /// The color of all that has none of its own.
  public var color: Color
  /// Whether all digits are as wide as each other.
  public var hasEvenDigits = false

  /// Text `size` pixels high in the first of `families` that is there.
  public init(families: [String], weight: Weight = .regular, size: Double, color: Color = .white) {
    self.families = families
    self.weight = weight
    self.size = size
    self.color = color
  }
}
