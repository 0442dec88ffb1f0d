package import TesseraLayout
package import TesseraPixels
import TesseraTimeline

extension LayoutAttributes {
  /// The area on which the drawings of the tile lie: for a shared screen, around which nothing is seen of its tile,
  /// the picture; for everyone else the tile. On an upright `canvas` it ends above the lowest 12 %, over which
  /// players for phones lay buttons and titles, unless the tile is less than 0.45 of the canvas high.
  package func decorated(_ slot: Slot, on canvas: PixelSize) -> PixelRect {
    var area = displayFrame
    if slot.kind == .screen, let aspectRatio, let coverage {
      area =
        Fit.Placement(aspectRatio: aspectRatio, in: displayFrame, coverage: coverage).destination
    }
    let height = Double(canvas.height)
    if canvas.isForPhones, area.height >= 0.45 * height {
      area.height = max(0, min(area.maxY, 0.88 * height) - area.y)
    }
    return PixelRect(
      x: Int(saturating: area.x.rounded()), y: Int(saturating: area.y.rounded()),
      width: Int(saturating: area.width.rounded()),
      height: Int(saturating: area.height.rounded()))
  }

  /// True if another one of `tiles` is seen beside it whose sides agree with its own within a fifth: a frame
  /// around one of equals shows who speaks; around a canvas, the large one of several, or the one of two that
  /// dissolves in over the other, it says nothing.
  package func isOneOfSeveral(_ tiles: [LayoutAttributes]) -> Bool {
    tiles.contains { other in
      func agree(_ one: Double, _ two: Double) -> Bool { min(one, two) >= 0.8 * max(one, two) }
      return other.id != id && other.isVisible && agree(frame.width, other.frame.width)
        && agree(frame.height, other.frame.height)
        && max(
          abs(frame.midX - other.frame.midX) / frame.width,
          abs(frame.midY - other.frame.midY) / frame.height) > 0.5
    }
  }
}

extension PixelSize {
  /// True for a canvas that is upright as a phone is, 2:3 or narrower.
  package var isForPhones: Bool { 2 * height >= 3 * width }
}
