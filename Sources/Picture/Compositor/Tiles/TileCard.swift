package import TesseraPixels
import TesseraTimeline

/// The content of a tile without a picture: a color and drawings on it, in steps of size.
///
/// Drawings are never scaled. A card contains them in several sizes, usually √2 apart, and a tile
/// shows the largest step that fits.
package final class TileCard: Sendable {
  /// A drawing on a card.
  package struct PlacedDrawing: Hashable, Sendable {
    package var sprite: Sprite
    /// The horizontal anchor in the tile, in units of its width; ``x`` counts from there.
    package var anchorX: Double
    /// The vertical anchor in the tile, in units of its height; ``y`` counts from there.
    package var anchorY: Double
    /// The sprite's first column, relative to the anchor.
    package var x: Int
    /// The sprite's first row, relative to the anchor.
    package var y: Int

    /// Creates a part with `sprite` at (`x`, `y`) from the anchor.
    package init(sprite: Sprite, anchorX: Double, anchorY: Double, x: Int, y: Int) {
      self.sprite = sprite
      self.anchorX = anchorX
      self.anchorY = anchorY
      self.x = x
      self.y = y
    }

    /// Returns the sprite's rectangle in a tile of `size`, not clipped.
    func area(in size: PixelSize) -> PixelRect {
      func position(_ anchor: Double, _ length: Int, _ offset: Int) -> Int {
        Int(saturating: (max(0, min(1, anchor)) * Double(length) + 0.5).rounded(.down)) + offset
      }
      return PixelRect(
        x: position(anchorX, size.width, x), y: position(anchorY, size.height, y),
        width: sprite.size.width, height: sprite.size.height)
    }
  }

  /// The drawings of a card for tiles of at least a given size.
  package struct Step: Hashable, Sendable {
    /// The least size of a tile that shows this step.
    package var least: PixelSize
    /// The drawings, back to front.
    package var parts: [PlacedDrawing]

    package init(least: PixelSize, parts: [PlacedDrawing]) {
      self.least = least
      self.parts = parts
    }
  }

  /// The color below the drawings.
  package let color: Color
  /// The steps from small to large.
  package let steps: [Step]

  /// Creates a card. `steps` are sorted from small to large; tiles smaller than the first show the
  /// color alone.
  package init(color: Color, steps: [Step]) {
    self.color = color
    self.steps = steps
  }

  /// Returns the drawings for a tile of `size`; empty if it is smaller than every step.
  func parts(in size: PixelSize) -> [PlacedDrawing] {
    let step = steps.last { $0.least.width <= size.width && $0.least.height <= size.height }
    return step?.parts ?? []
  }
}

extension TileCard: Hashable {
  /// True if both are the same object.
  package static func == (one: TileCard, other: TileCard) -> Bool {
    one === other
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
