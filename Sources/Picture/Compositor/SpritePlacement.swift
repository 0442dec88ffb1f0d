package import TesseraPixels

/// A sprite and its position on a tile or on the canvas.
package struct SpritePlacement: Hashable, Sendable {
  package var sprite: Sprite
  /// The sprite's first column, relative to the tile or canvas.
  package var x: Int
  /// The sprite's first row, relative to the tile or canvas.
  package var y: Int
  /// The opacity, `0...1`.
  package var opacity: Double

  package init(_ sprite: Sprite, x: Int, y: Int, opacity: Double = 1) {
    self.sprite = sprite
    self.x = x
    self.y = y
    self.opacity = opacity
  }

  /// Returns the sprite's rectangle, not clipped, in a tile or canvas that begins at `origin`.
  package func area(from origin: (x: Int, y: Int)) -> PixelRect {
    PixelRect(sprite.size).moved(by: origin.x + x, origin.y + y)
  }
}
