/// A rectangle of whole pixels with its origin at the top left and y pointing down.
package struct PixelRect: Hashable, Sendable, Codable {
  /// The index of the first column.
  package var x: Int
  /// The index of the first row.
  package var y: Int
  /// The number of columns.
  package var width: Int
  /// The number of rows.
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates the rectangle of `size` at the origin.
  package init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The column after the last one.
  package var maxX: Int { x + width }
  /// The row after the last one.
  package var maxY: Int { y + height }
  package var size: PixelSize { PixelSize(width: width, height: height) }
  /// True if the rectangle contains no pixel.
  package var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Returns the pixels common to both rectangles; an empty rectangle if there are none.
  package func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(0, min(maxX, other.maxX) - left),
      height: max(0, min(maxY, other.maxY) - top))
  }

  /// Returns the smallest rectangle that contains both rectangles; an empty rectangle adds nothing.
  package func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let (left, top) = (min(x, other.x), min(y, other.y))
    return PixelRect(
      x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// True if the rectangles have a pixel in common.
  package func intersects(_ other: PixelRect) -> Bool {
    !intersection(other).isEmpty
  }

  /// The rectangle of 4:2:0 chroma samples that these luma pixels touch; empty if this rectangle
  /// is.
  package var chroma: PixelRect {
    let left = x >> 1
    let top = y >> 1
    guard !isEmpty else { return PixelRect(x: left, y: top, width: 0, height: 0) }
    return PixelRect(
      x: left, y: top, width: ((maxX + 1) >> 1) - left, height: ((maxY + 1) >> 1) - top)
  }

  /// The range of columns.
  package var columns: Range<Int> { x..<max(x, maxX) }
  /// The range of rows.
  package var rows: Range<Int> { y..<max(y, maxY) }
}
