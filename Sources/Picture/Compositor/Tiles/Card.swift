package import TesseraPixels
import TesseraTimeline

/// What a tile shows in place of a picture: a color and drawings on it, in steps of size.
///
/// Drawings are never scaled. A card carries them in several sizes, usually √2 apart, and a tile
/// shows the greatest step that it has room for.
package final class Card: Sendable {
  /// A drawing on a card.
  package struct Part: Hashable, Sendable {
    /// The drawing.
    package var sprite: Sprite
    /// The point of the tile that the place counts from, in units of its width.
    package var anchorX: Double
    /// The point of the tile that the place counts from, in units of its height.
    package var anchorY: Double
    /// The sprite's first column, from the anchor.
    package var x: Int
    /// The sprite's first row, from the anchor.
    package var y: Int

    /// `sprite` at (`x`, `y`) from a point of the tile.
    package init(sprite: Sprite, anchorX: Double, anchorY: Double, x: Int, y: Int) {
      self.sprite = sprite
      self.anchorX = anchorX
      self.anchorY = anchorY
      self.x = x
      self.y = y
    }

    /// `sprite` with its middle (`dx`, `dy`) pixels from the middle of the tile.
    package init(centered sprite: Sprite, dx: Int = 0, dy: Int = 0) {
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
  package struct Step: Hashable, Sendable {
    /// The size that a tile has at least to show this step.
    package var least: PixelSize
    /// The drawings, each above the one before.
    package var parts: [Part]

    /// The step of tiles of `least` pixels and more.
    package init(least: PixelSize, parts: [Part]) {
      self.least = least
      self.parts = parts
    }
  }

  /// The color below the drawings.
  package let color: Color
  /// The steps from small to large.
  package let steps: [Step]

  /// A card of these steps, from small to large; smaller tiles show the color alone.
  package init(color: Color, steps: [Step]) {
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
  package static func == (one: Card, other: Card) -> Bool {
    one === other
  }

  /// Hashes the identity.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
