package import TesseraLayout
package import TesseraPixels
import TesseraTimeline

extension PixelRect {
  /// The rectangle without pixels.
  static let empty = PixelRect(x: 0, y: 0, width: 0, height: 0)

  /// Creates the rectangle of `rect` with every edge rounded half up, so that neighbors share their
  /// edges.
  package init(rounding rect: Rect) {
    let rounded = rect.rounded()
    let (left, top) = (Self.bounded(rounded.x), Self.bounded(rounded.y))
    self.init(
      x: left, y: top, width: max(0, Self.bounded(rounded.maxX) - left),
      height: max(0, Self.bounded(rounded.maxY) - top))
  }

  /// Returns `position` as an integer, clamped to ±2^24 so that sums cannot overflow.
  private static func bounded(_ position: Double) -> Int {
    let bound = Double(1 << 24)
    return Int(saturating: min(max(-bound, position), bound))
  }

  /// The chroma samples whose luma samples are all in the rectangle; may be empty.
  var wholeChroma: PixelRect {
    let (left, top) = ((x + 1) >> 1, (y + 1) >> 1)
    return PixelRect(
      x: left, y: top, width: max(0, (maxX >> 1) - left), height: max(0, (maxY >> 1) - top))
  }

  /// Returns the rectangle moved by (`dx`, `dy`).
  func moved(by dx: Int, _ dy: Int) -> PixelRect {
    PixelRect(x: x + dx, y: y + dy, width: width, height: height)
  }
}
