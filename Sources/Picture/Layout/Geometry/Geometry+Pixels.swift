/// A point, in canvas pixels unless said otherwise.
public struct Point: Hashable, Sendable, Codable {
  /// The distance from the left.
  public var x: Double
  /// The distance from the top.
  public var y: Double

  /// The point (`x`, `y`).
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The top left corner.
  public static let zero = Point(x: 0, y: 0)
}

extension Size {
  /// The rectangle of this size at the origin.
  package var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

  /// Whether it is wider than high, or square.
  package var isLandscape: Bool { width >= height }
}

extension Rect {
  /// The rectangle with the given corners.
  init(left: Double, top: Double, right: Double, bottom: Double) {
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The rectangle moved by `offset`.
  package func translated(by offset: Point) -> Rect {
    Rect(x: x + offset.x, y: y + offset.y, width: width, height: height)
  }

  /// The rectangle made smaller by `distance` on each side, but never by more than a quarter of
  /// its shorter extent: a cell keeps at least half its size however large the gap is.
  package func inset(by distance: Double) -> Rect {
    let inset = min(distance, min(width, height) / 4)
    return Rect(x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset)
  }

  /// The rectangle of the given extents about the same center.
  func centered(width: Double, height: Double) -> Rect {
    Rect(
      x: x + (self.width - width) / 2, y: y + (self.height - height) / 2,
      width: width, height: height)
  }

  /// The rectangle scaled by `factor` about its center.
  package func scaled(by factor: Double) -> Rect {
    centered(width: width * factor, height: height * factor)
  }

  /// Whether the two rectangles share more than an edge.
  package func intersects(_ other: Rect) -> Bool {
    x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
  }

  /// Whether `other` lies within this rectangle, to a thousandth of a pixel.
  func contains(_ other: Rect) -> Bool {
    other.x >= x - 1e-3 && other.y >= y - 1e-3 && other.maxX <= maxX + 1e-3
      && other.maxY <= maxY + 1e-3
  }

  /// The rectangle with each edge on the nearest multiple of `alignment` pixels, halves up.
  ///
  /// Each edge is rounded by itself, so rectangles that share an edge still share it. Edges that
  /// were computed in different orders may differ in their last bits; less than a millionth of a
  /// pixel below a half counts as the half, so that both round the same way.
  package func rounded(toMultiplesOf alignment: Int = 1) -> Rect {
    let unit = Double(max(1, alignment))
    func edge(_ value: Double) -> Double { (value / unit + 0.5 + 1e-6).rounded(.down) * unit }
    return Rect(left: edge(x), top: edge(y), right: edge(maxX), bottom: edge(maxY))
  }
}
