internal import Pixels

/// Which samples a tile covers, and which of them its border covers.
enum TileCoverage {
  /// How much of every sample of `visible`, a part of `area`, a tile covers, its opacity included;
  /// nil where it covers every luma and chroma sample wholly.
  static func tile(
    area: PixelRect, visible: PixelRect, alpha: Double, radius: Double
  ) -> Planar<PlaneCoverage>? {
    let isWhole = visible.chroma == visible.wholeChroma
    guard !visible.isEmpty, alpha < 1 || radius > 0 || !isWhole else { return nil }
    let shape = RoundedShape(area, radius: radius)
    return planes(visible, like: shape.straightRows, samples: 4) { x, y in
      alpha * shape.coverage(x: x, y: y)
    }
  }

  /// How much of what the tile covers of every sample of `visible` belongs to its border; nil
  /// where there is none.
  static func border(
    area: PixelRect, visible: PixelRect, width: Double, radius: Double
  ) -> Planar<PlaneCoverage>? {
    guard !visible.isEmpty, width > 0 else { return nil }
    let inner = RoundedShape(area, radius: radius, inset: width)
    return planes(visible, like: inner.straightRows, samples: nil) { x, y in
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
