public import TesseraPixels

/// Where everything lies on a canvas; it holds until the layout changes.
public struct Scene: Hashable, Sendable {
  /// The canvas's size.
  public var size: PixelSize
  /// What shows where no tile lies.
  public var background: Color
  /// A picture that covers the canvas and hides the background's color; it is cropped in the middle.
  public var backgroundPicture: Picture?
  /// The tiles, those with equal `zIndex` from bottom to top.
  public var tiles: [TileDraw]
  /// What lies over all tiles, each above the one before.
  public var sprites: [SpriteDraw] = []

  /// A scene of `tiles` over `background`.
  public init(size: PixelSize, background: Color, tiles: [TileDraw]) {
    self.size = size
    self.background = background
    self.tiles = tiles
  }
}
