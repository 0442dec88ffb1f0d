/// A point, in canvas pixels unless stated otherwise; y points down.
public struct Point: Hashable, Sendable, Codable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The origin, which is the top left corner.
  public static let zero = Point(x: 0, y: 0)
}

extension Size {
  /// The rectangle of this size at the origin.
  package var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

  /// True if the size is at least as wide as it is high.
  package var isLandscape: Bool { width >= height }
}

extension Rect {
  /// Creates the rectangle with the given edges.
  init(left: Double, top: Double, right: Double, bottom: Double) {
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Returns the rectangle moved by `offset`.
  package func translated(by offset: Point) -> Rect {
    Rect(x: x + offset.x, y: y + offset.y, width: width, height: height)
  }

  /// Returns the rectangle made smaller by `distance` on each side.
  ///
  /// The inset is at most a quarter of the shorter side, so a cell keeps at least half its size
  /// however large the gap is.
  package func inset(by distance: Double) -> Rect {
    let inset = min(distance, min(width, height) / 4)
    return Rect(x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset)
  }

  /// Returns the rectangle of `width` by `height` about the center of this rectangle.
  func centered(width: Double, height: Double) -> Rect {
    Rect(
      x: x + (self.width - width) / 2, y: y + (self.height - height) / 2,
      width: width, height: height)
  }

  /// Returns the rectangle scaled by `factor` about its center.
  package func scaled(by factor: Double) -> Rect {
    centered(width: width * factor, height: height * factor)
  }

  /// True if the two rectangles share an area; a common edge is not enough.
  package func intersects(_ other: Rect) -> Bool {
    x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
  }

  /// True if `other` is inside this rectangle, with a tolerance of a thousandth of a pixel.
  func contains(_ other: Rect) -> Bool {
    other.x >= x - 1e-3 && other.y >= y - 1e-3 && other.maxX <= maxX + 1e-3
      && other.maxY <= maxY + 1e-3
  }

  /// Returns the rectangle with each edge rounded to the nearest pixel, halves up.
  ///
  /// Each edge is rounded on its own, so rectangles that share an edge still share it. Edges
  /// computed in different orders may differ in their last bits. Less than a millionth of a pixel
  /// below a half counts as the half, so both round to the same value.
  package func rounded() -> Rect {
    func edge(_ value: Double) -> Double { (value + 0.5 + 1e-6).rounded(.down) }
    return Rect(left: edge(x), top: edge(y), right: edge(maxX), bottom: edge(maxY))
  }
}
