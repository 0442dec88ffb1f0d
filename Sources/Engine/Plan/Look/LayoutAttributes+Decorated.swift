package import TesseraLayout
package import TesseraPixels
import TesseraTimeline

extension LayoutAttributes {
  /// Returns the area for the drawings of the tile (name plate, badges): for a shared screen the
  /// picture, because its tile shows nothing around it; otherwise the tile. On an upright `canvas`
  /// the area ends above the lowest 12 %, where phone players place buttons and titles, unless the
  /// tile is less than 0.45 of the canvas high.
  package func decorated(_ slot: TileTimeline, on canvas: PixelSize) -> PixelRect {
    var area = displayFrame
    if slot.kind == .screen, let aspectRatio, let coverage {
      area =
        PictureFit.Placement(aspectRatio: aspectRatio, in: displayFrame, coverage: coverage)
        .destination
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

  /// True if another visible tile of `tiles` beside this one has the same size within a fifth. A
  /// frame around one of several equal tiles marks the speaker. Around a full canvas, a single
  /// large tile, or a tile that dissolves over another, it would mean nothing.
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
  /// True if the canvas is upright as a phone is: 2:3 or narrower.
  package var isForPhones: Bool { 2 * height >= 3 * width }
}
