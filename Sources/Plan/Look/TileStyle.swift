package import TesseraLettering
import TesseraPixels

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

  /// The radius of a tile's corners on a canvas whose shorter side is `side`, for a tile whose
  /// shorter side is `tile`: small tiles have less.
  package func radius(tile: Double, side: Double) -> Double {
    let wanted = cornerRadius ?? theme.cornerRadius * side / 1080
    return min(wanted, tile * 0.12)
  }
}
