package import TesseraLayout
package import TesseraLettering
package import TesseraPixels

/// How tiles look around their pictures.
package struct TileStyle: Hashable, Sendable, Codable {
  /// Colors, plates, cards.
  package var theme: Theme
  /// Whether tiles carry names.
  package var showsNames: Bool
  /// Whether the active speaker has a frame.
  package var highlightsSpeaker: Bool
  /// The radius of tiles' corners in canvas pixels; nil is the theme's.
  package var cornerRadius: Double?
  /// Whether bars beside a picture show a blurred copy of it.
  package var blursBars: Bool

  /// The style of `theme`.
  package init(_ theme: Theme = .dark) {
    self.theme = theme
    showsNames = theme.plate.isShown
    highlightsSpeaker = theme.highlight.isShown
    blursBars = theme.blursBars
  }

  /// The radius, in pixels, of the corners of a tile in `frame` on `canvas`: small tiles have less, and one that
  /// reaches from edge to edge of the canvas has none, unless option or theme file ask for it.
  package func radius(_ frame: Rect, on canvas: PixelSize) -> Double {
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    let wanted = cornerRadius ?? theme.cornerRadius * min(width, height) / 1080
    let radius = min(wanted, min(frame.width, frame.height).rounded() * 0.12)
    guard cornerRadius == nil, !theme.keepsEdges else { return radius }
    // How far it stays away from the edges, the farther one of two that lie opposite.
    let x = max(0, frame.x, width - frame.maxX)
    let y = max(0, frame.y, height - frame.maxY)
    // A row of tiles has little more than a gap above and below it.
    return min(radius, max(x, y), 4 * min(x, y))
  }
}
