package import TesseraPixels

/// The tiles, sprites and background of a canvas; constant until the layout changes.
package struct Scene: Hashable, Sendable {
  /// The canvas size in luma samples.
  package var size: PixelSize
  /// The color shown wherever no tile covers the canvas.
  package var background: Color
  /// A picture shown instead of ``background``, scaled to cover the canvas and cropped to its
  /// middle; `nil` if there is none.
  package var backgroundPicture: Picture?
  /// The tiles in any order of their `zIndex`; tiles with equal `zIndex` are drawn in this order.
  package var tiles: [TilePlacement]
  /// The sprites above all tiles, back to front.
  package var sprites: [SpritePlacement] = []

  /// Creates a scene of `tiles` over `background`.
  package init(size: PixelSize, background: Color, tiles: [TilePlacement]) {
    self.size = size
    self.background = background
    self.tiles = tiles
  }
}
