package import TesseraLayout
package import TesseraPixels
import TesseraTimeline

extension PixelRect {
  /// No pixels.
  static let empty = PixelRect(x: 0, y: 0, width: 0, height: 0)

  /// The pixels of a rectangle: every edge is rounded half-up, so that neighbors tile.
  package init(rounding rect: Rect) {
    let rounded = rect.rounded()
    let (left, top) = (Self.bounded(rounded.x), Self.bounded(rounded.y))
    self.init(
      x: left, y: top, width: max(0, Self.bounded(rounded.maxX) - left),
      height: max(0, Self.bounded(rounded.maxY) - top))
  }

  /// A position near enough to any canvas to count with.
  private static func bounded(_ position: Double) -> Int {
    let bound = Double(1 << 24)
    return Int(saturating: min(max(-bound, position), bound))
  }

  /// The chroma samples all of whose luma samples are in the rectangle; may be empty.
  var wholeChroma: PixelRect {
    let (left, top) = ((x + 1) >> 1, (y + 1) >> 1)
    return PixelRect(
      x: left, y: top, width: max(0, (maxX >> 1) - left), height: max(0, (maxY >> 1) - top))
  }

  /// The least rectangle that holds both.
  func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let (left, top) = (min(x, other.x), min(y, other.y))
    return PixelRect(
      x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// The rectangle moved by (`dx`, `dy`).
  func moved(by dx: Int, _ dy: Int) -> PixelRect {
    PixelRect(x: x + dx, y: y + dy, width: width, height: height)
  }
}
