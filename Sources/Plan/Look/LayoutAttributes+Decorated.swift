package import TesseraLayout
package import TesseraPixels
import TesseraTimeline

extension LayoutAttributes {
  /// Where the drawings on the tile lie: a shared screen, around which nothing is seen of its tile,
  /// has them on the picture, everyone else on the tile.
  package func decorated(_ slot: Slot) -> PixelRect {
    var area = displayFrame
    if slot.kind == .screen, let aspectRatio, let coverage {
      area =
        Fit.Placement(aspectRatio: aspectRatio, in: displayFrame, coverage: coverage).destination
    }
    return PixelRect(
      x: Int(saturating: area.x.rounded()), y: Int(saturating: area.y.rounded()),
      width: Int(saturating: area.width.rounded()),
      height: Int(saturating: area.height.rounded()))
  }
}
