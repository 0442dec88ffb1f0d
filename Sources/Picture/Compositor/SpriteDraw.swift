package import TesseraPixels

/// A sprite at a place of a tile or of the canvas.
package struct SpriteDraw: Hashable, Sendable {
  /// The sprite.
  package var sprite: Sprite
  /// The sprite's first column, from the first one of the tile or the canvas.
  package var x: Int
  /// The sprite's first row, from the first one of the tile or the canvas.
  package var y: Int
  /// The opacity, 0...1.
  package var opacity: Double

  /// `sprite` at (`x`, `y`).
  package init(_ sprite: Sprite, x: Int, y: Int, opacity: Double = 1) {
    self.sprite = sprite
    self.x = x
    self.y = y
    self.opacity = opacity
  }

  /// Where it lies, not clipped, in a tile or canvas that begins at `origin`.
  package func area(from origin: (x: Int, y: Int)) -> PixelRect {
    PixelRect(sprite.size).moved(by: origin.x + x, origin.y + y)
  }
}
