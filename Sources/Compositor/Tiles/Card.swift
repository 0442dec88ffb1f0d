public import TesseraPixels
import TesseraTimeline

/// What a tile shows in place of a picture: a color and drawings on it, in steps of size.
///
/// Drawings are never scaled. A card carries them in several sizes, usually √2 apart, and a tile
/// shows the greatest step that it has room for.
public final class Card: Sendable {
  /// A drawing on a card.
  public struct Part: Hashable, Sendable {
    /// The drawing.
    public var sprite: Sprite
    /// The point of the tile that the place counts from, in units of its width.
    public var anchorX: Double
    /// The point of the tile that the place counts from, in units of its height.
    public var anchorY: Double
    /// The sprite's first column, from the anchor.
    public var x: Int
    /// The sprite's first row, from the anchor.
    public var y: Int

    /// `sprite` at (`x`, `y`) from a point of the tile.
    public init(sprite: Sprite, anchorX: Double, anchorY: Double, x: Int, y: Int) {
      self.sprite = sprite
      self.anchorX = anchorX
      self.anchorY = anchorY
      self.x = x
      self.y = y
    }

    /// `sprite` with its middle (`dx`, `dy`) pixels from the middle of the tile.
    public init(centered sprite: Sprite, dx: Int = 0, dy: Int = 0) {
      self.init(
        sprite: sprite, anchorX: 0.5, anchorY: 0.5, x: dx - sprite.size.width / 2,
        y: dy - sprite.size.height / 2)
    }

    /// Where the sprite lies in a tile of `size`, not clipped.
    func area(in size: PixelSize) -> PixelRect {
      func position(_ anchor: Double, _ length: Int, _ offset: Int) -> Int {
        Int(saturating: (max(0, min(1, anchor)) * Double(length) + 0.5).rounded(.down)) + offset
      }
      return PixelRect(
        x: position(anchorX, size.width, x), y: position(anchorY, size.height, y),
        width: sprite.size.width, height: sprite.size.height)
    }
  }

  /// A card's drawings for tiles from one size on.
  public struct Step: Hashable, Sendable {
    /// The size that a tile has at least to show this step.
    public var least: PixelSize
    /// The drawings, each above the one before.
    public var parts: [Part]

    /// The step of tiles of `least` pixels and more.
    public init(least: PixelSize, parts: [Part]) {
      self.least = least
      self.parts = parts
    }
  }

  /// The color below the drawings.
  public let color: Color
  /// The steps from small to large.
  public let steps: [Step]

  /// A card of these steps, from small to large; smaller tiles show the color alone.
  public init(color: Color, steps: [Step]) {
    self.color = color
    self.steps = steps
  }

  /// The drawings in a tile of `size`.
  func parts(in size: PixelSize) -> [Part] {
    let step = steps.last { $0.least.width <= size.width && $0.least.height <= size.height }
    return step?.parts ?? []
  }
}

extension Card: Hashable {
  /// Whether both are the same card.
  public static func == (one: Card, other: Card) -> Bool {
    one === other
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
