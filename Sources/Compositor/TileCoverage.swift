internal import Pixels

/// Which samples a tile covers, and which of them its border covers, for luma and for chroma.
struct TileCoverage: Sendable {
  /// The coverage of luma and of chroma.
  struct Planes: Sendable {
    let luma: PlaneCoverage
    let chroma: PlaneCoverage
  }

  /// The tile itself, its opacity included; nil where the tile covers all its samples wholly.
  let tile: Planes?
  /// The border within the tile.
  let border: Planes?
  /// Whether the tile is a rectangle without round corners and fully opaque.
  let isPlain: Bool

  /// The coverage of the visible part of `area`.
  init(area: PixelRect, visible: PixelRect, alpha: Double, radius: Double, border width: Double) {
    guard !visible.isEmpty else {
      self.tile = nil
      self.border = nil
      self.isPlain = true
      return
    }
    let shape = RoundedShape(area, radius: radius)
    self.isPlain = alpha >= 1 && radius <= 0
    self.tile =
      isPlain && visible.roundedOutToEven == visible
      ? nil
      : Self.planes(visible, like: shape.straightRows) { x, y in
        alpha * shape.coverage(x: x, y: y)
      }
    let inner = RoundedShape(area, radius: radius, inset: width)
    let rows = max(shape.straightRows.lowerBound, inner.straightRows.lowerBound)
    let end = min(shape.straightRows.upperBound, inner.straightRows.upperBound)
    self.border =
      width <= 0
      ? nil
      : Self.planes(visible, like: rows..<max(rows, end), ofInside: true) { x, y in
        1 - inner.coverage(x: x, y: y)
      }
  }

  /// Evaluates `value` at every luma sample of `visible`, and its mean over the 2x2 luma samples
  /// of every chroma sample: over all four, or over those in `visible`.
  private static func planes(
    _ visible: PixelRect, like: Range<Int>, ofInside: Bool = false,
    value: (_ x: Int, _ y: Int) -> Double
  ) -> Planes {
    let luma = PlaneCoverage(area: visible, like: like, value: value)
    let first = (like.lowerBound + 1) >> 1
    let chromaLike = first..<max(first, like.upperBound >> 1)
    let chroma = PlaneCoverage(area: visible.chroma, like: chromaLike) { x, y in
      let samples = PixelRect(x: 2 * x, y: 2 * y, width: 2, height: 2).intersection(visible)
      var sum = 0.0
      for row in samples.y..<samples.maxY {
        for column in samples.x..<samples.maxX { sum += value(column, row) }
      }
      return sum / (ofInside ? Double(samples.size.area) : 4)
    }
    return Planes(luma: luma, chroma: chroma)
  }
}
