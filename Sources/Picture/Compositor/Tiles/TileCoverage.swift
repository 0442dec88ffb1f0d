internal import TesseraPixels

/// The coverage of samples by a tile and by its border. All tiles of one shape share it, wherever
/// they are.
final class TileCoverage: Sendable {
  /// The properties of a tile that its coverage depends on.
  struct TileShape: Hashable {
    private(set) var area: PixelRect
    private(set) var visible: PixelRect
    let alpha: Double
    let radius: Double
    let borderWidth: Double

    /// Creates the shape of a tile that covers `area`, of which `visible` is on the canvas. The
    /// shape is moved to the canvas's corner by whole chroma samples, so that equal tiles have
    /// equal shapes.
    init(area: PixelRect, visible: PixelRect, alpha: Double, radius: Double, borderWidth: Double) {
      let (x, y) = (area.x & ~1, area.y & ~1)
      self.area = area.moved(by: -x, -y)
      self.visible = visible.moved(by: -x, -y)
      self.alpha = alpha
      self.radius = radius
      self.borderWidth = borderWidth
    }
  }

  /// The coverage of every sample by the tile, opacity included; `nil` if the tile fully covers
  /// every luma and chroma sample.
  let content: PlanePair<PlaneCoverage>?
  /// The border's share of the tile's coverage of every sample; `nil` if there is no border.
  let border: PlanePair<PlaneCoverage>?

  init(_ shape: TileShape) {
    content = Self.content(shape)
    border = Self.border(shape)
  }

  private static func content(_ shape: TileShape) -> PlanePair<PlaneCoverage>? {
    let visible = shape.visible
    let isWhole = visible.chroma == visible.wholeChroma
    guard !visible.isEmpty, shape.alpha < 1 || shape.radius > 0 || !isWhole else { return nil }
    let outline = RoundedShape(shape.area, radius: shape.radius)
    return planes(visible, like: outline.straightRows, samples: 4) { x, y in
      shape.alpha * outline.coverage(x: x, y: y)
    }
  }

  private static func border(_ shape: TileShape) -> PlanePair<PlaneCoverage>? {
    guard !shape.visible.isEmpty, shape.borderWidth > 0 else { return nil }
    let inner = RoundedShape(shape.area, radius: shape.radius, inset: shape.borderWidth)
    return planes(shape.visible, like: inner.straightRows, samples: nil) { x, y in
      1 - inner.coverage(x: x, y: y)
    }
  }

  /// Evaluates `value` at every luma sample of `visible` and averages it for chroma.
  ///
  /// The value of a chroma sample is the sum over its luma samples in `visible`, divided by
  /// `count`, or by their number if `count` is `nil`.
  private static func planes(
    _ visible: PixelRect, like: Range<Int>, samples count: Int?,
    value: (_ x: Int, _ y: Int) -> Double
  ) -> PlanePair<PlaneCoverage> {
    let first = (like.lowerBound + 1) >> 1
    let chromaLike = first..<max(first, like.upperBound >> 1)
    return PlanePair(
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
