package import TesseraPixels

/// Where everything lies on a canvas; it holds until the layout changes.
package struct Scene: Hashable, Sendable {
  /// The canvas's size.
  package var size: PixelSize
  /// What shows where no tile lies.
  package var background: Color
  /// A picture that covers the canvas and hides the background's color; it is cropped in the
  /// middle.
  package var backgroundPicture: Picture?
  /// The tiles, those with equal `zIndex` from bottom to top.
  package var tiles: [TileDraw]
  /// What lies over all tiles, each above the one before.
  package var sprites: [SpriteDraw] = []

  /// A scene of `tiles` over `background`.
  package init(size: PixelSize, background: Color, tiles: [TileDraw]) {
    self.size = size
    self.background = background
    self.tiles = tiles
  }
}
