/// A rectangle of whole pixels with its origin at the top left, y down.
public struct PixelRect: Hashable, Sendable, Codable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// The rectangle with its first pixel at (`x`, `y`).
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The rectangle of `size` at the origin.
  public init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The column after the last one.
  public var maxX: Int { x + width }
  /// The row after the last one.
  public var maxY: Int { y + height }
  /// The extents alone.
  public var size: PixelSize { PixelSize(width: width, height: height) }
  /// Whether the rectangle holds no pixel.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The pixels that both rectangles hold; empty where there are none.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(0, min(maxX, other.maxX) - left),
      height: max(0, min(maxY, other.maxY) - top))
  }

  /// Whether any pixel lies in both rectangles.
  public func intersects(_ other: PixelRect) -> Bool {
    !intersection(other).isEmpty
  }

  /// The rectangle of 4:2:0 chroma samples that any of these luma pixels touches; empty for none.
  public var chroma: PixelRect {
    let left = x >> 1
    let top = y >> 1
    guard !isEmpty else { return PixelRect(x: left, y: top, width: 0, height: 0) }
    return PixelRect(
      x: left, y: top, width: ((maxX + 1) >> 1) - left, height: ((maxY + 1) >> 1) - top)
  }

  /// The columns.
  public var columns: Range<Int> { x..<max(x, maxX) }
  /// The rows.
  public var rows: Range<Int> { y..<max(y, maxY) }
}
