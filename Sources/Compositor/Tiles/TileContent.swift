public import TesseraPixels

/// What a tile shows.
public enum TileContent: Sendable {
  /// Nothing: the background shows.
  case empty
  /// A plain colour, in place of a picture that is not there.
  case fill(Color)
  /// A picture, placed by the tile's fit.
  case picture(Picture)
}
