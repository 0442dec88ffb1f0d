internal import TesseraPixels

/// Which samples a tile covers, and which of them its border covers; the same for all tiles of one
/// shape, wherever they lie.
final class TileCoverage: Sendable {
  /// What a coverage depends on.
  struct Shape: Hashable {
    private(set) var area: PixelRect
    private(set) var visible: PixelRect
    let alpha: Double
    let radius: Double
    let borderWidth: Double

    /// The shape of a tile that covers `area`, of which `visible` is on the canvas: moved to the
    /// canvas's corner by whole chroma samples.
    init(area: PixelRect, visible: PixelRect, alpha: Double, radius: Double, borderWidth: Double) {
      let (x, y) = (area.x & ~1, area.y & ~1)
      self.area = area.moved(by: -x, -y)
      self.visible = visible.moved(by: -x, -y)
      self.alpha = alpha
      self.radius = radius
      self.borderWidth = borderWidth
    }
  }

  /// How much of every sample a tile covers, its opacity included; nil where it covers every luma
  /// and chroma sample wholly.
  let content: Planar<PlaneCoverage>?
  /// How much of what the tile covers of every sample belongs to its border; nil where there is
  /// none.
  let border: Planar<PlaneCoverage>?

  init(_ shape: Shape) {
    content = Self.content(shape)
    border = Self.border(shape)
  }

  private static func content(_ shape: Shape) -> Planar<PlaneCoverage>? {
    let visible = shape.visible
    let isWhole = visible.chroma == visible.wholeChroma
    guard !visible.isEmpty, shape.alpha < 1 || shape.radius > 0 || !isWhole else { return nil }
    let outline = RoundedShape(shape.area, radius: shape.radius)
    return planes(visible, like: outline.straightRows, samples: 4) { x, y in
      shape.alpha * outline.coverage(x: x, y: y)
    }
  }

  private static func border(_ shape: Shape) -> Planar<PlaneCoverage>? {
    guard !shape.visible.isEmpty, shape.borderWidth > 0 else { return nil }
    let inner = RoundedShape(shape.area, radius: shape.radius, inset: shape.borderWidth)
    return planes(shape.visible, like: inner.straightRows, samples: nil) { x, y in
      1 - inner.coverage(x: x, y: y)
    }
  }

  /// Evaluates `value` at every luma sample of `visible`, and its sum over the luma samples of
  /// every chroma sample that are in `visible`, divided by `samples` or by their number.
  private static func planes(
    _ visible: PixelRect, like: Range<Int>, samples count: Int?,
    value: (_ x: Int, _ y: Int) -> Double
  ) -> Planar<PlaneCoverage> {
    let first = (like.lowerBound + 1) >> 1
    let chromaLike = first..<max(first, like.upperBound >> 1)
    return Planar(
      luma: PlaneCoverage(area: visible, like: like, value: value),
      chroma: PlaneCoverage(area: visible.chroma, like: chromaLike) { x, y in
        let samples = PixelRect(x: 2 * x, y: 2 * y, width: 2, height: 2).intersection(visible)
        var sum = 0.0
        for row in samples.rows {
          for column in samples.columns { sum += value(column, row) }
        }
        return sum / Double(count ?? samples.size.area)
      })
  }
}
