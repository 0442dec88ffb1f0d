package import TesseraLayout
package import TesseraLettering
package import TesseraPixels

/// The appearance of tiles around their pictures.
package struct TileStyle: Hashable, Sendable, Codable {
  /// Colors, name plates and cards.
  package var theme: Theme
  /// True if tiles have name plates.
  package var showsNames: Bool
  /// True if the active speaker's tile is framed.
  package var highlightsSpeaker: Bool
  /// The corner radius of tiles in canvas pixels; nil uses the theme's.
  package var cornerRadius: Double?
  /// True if bars beside a picture show a blurred copy of it.
  package var blursBars: Bool

  package init(_ theme: Theme = .dark) {
    self.theme = theme
    showsNames = theme.plate.isShown
    highlightsSpeaker = theme.highlight.isShown
    blursBars = theme.blursBars
  }

  /// Returns the corner radius, in pixels, of a tile in `frame` on `canvas`. Small tiles have
  /// smaller radii. A tile that touches opposite edges of the canvas has square corners, unless the
  /// radius is an option or the theme asks for rounded edges.
  package func radius(_ frame: Rect, on canvas: PixelSize) -> Double {
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    let wanted = cornerRadius ?? theme.cornerRadius * min(width, height) / 1080
    let radius = min(wanted, min(frame.width, frame.height).rounded() * 0.12)
    guard cornerRadius == nil, !theme.keepsEdges else { return radius }
    // The larger distance to the two opposite edges, for each axis.
    let x = max(0, frame.x, width - frame.maxX)
    let y = max(0, frame.y, height - frame.maxY)
    // A row of tiles has little more than a gap above and below.
    return min(radius, max(x, y), 4 * min(x, y))
  }
}
