internal import TesseraPixels

/// How pictures of one shape become the small copies that are enlarged where ``Fit/blur`` would
/// leave bars: a few dozen pixels, upright and in the colours of the canvas.
///
/// A picture is read in every so many rows only: as each sample of the copy is a mean over a
/// triangle two samples wide, a few rows for each are enough. Enlarging by the cubic B-spline blurs
/// it further, and without steps.
final class SoftPlan: Sendable {
  /// The longer side of a copy.
  private static let longSide = 32
  /// The source rows that are read for a row of a copy, at least.
  private static let rowsRead = 6

  let shape: TilePlan.Shape
  /// The size of the copy as displayed.
  let size: PixelSize
  /// Every how manieth source row is read.
  let rowStep: Int
  let luma: PlanePlan
  let chroma: PlanePlan
  let conversion: ColorConversion?

  init(_ shape: TilePlan.Shape, planner: inout ResamplePlanner) {
    self.shape = shape
    size = Self.size(aspectRatio: shape.aspectRatio)
    let coded = shape.orientation.transposes ? size.transposed : size
    let rowStep = max(1, shape.size.height / (Self.rowsRead * coded.height))
    // The transposition comes after the scaling.
    let mirroring = Orientation(
      transposed: false, mirroredHorizontally: shape.orientation.mirrorsHorizontally,
      mirroredVertically: shape.orientation.mirrorsVertically)
    func plan(_ source: PixelSize, _ size: PixelSize) -> PlanePlan {
      let rows = (source.height + rowStep - 1) / rowStep
      let geometry = ResamplePlan.Geometry(
        source: PixelSize(width: source.width, height: rows), orientation: mirroring,
        crop: ResamplePlan.Area(x: 0, y: 0, width: 1, height: 1),
        destination: ResamplePlan.Area(
          x: 0, y: 0, width: Double(size.width), height: Double(size.height)),
        area: PixelRect(size), filter: .bilinear)
      return planner.plan(geometry).luma
    }
    self.rowStep = rowStep
    luma = plan(shape.size, coded)
    chroma = plan(shape.size.chroma, coded.chroma)
    conversion = ColorConversion(from: shape.color)
  }

  /// The size of the copy of a picture of `aspectRatio`, both sides even.
  static func size(aspectRatio: Double) -> PixelSize {
    func short(_ share: Double) -> Int {
      max(2, 2 * Int((Double(longSide) * share / 2).rounded()))
    }
    guard aspectRatio > 0, aspectRatio.isFinite else {
      return PixelSize(width: longSide, height: longSide)
    }
    return aspectRatio >= 1
      ? PixelSize(width: longSide, height: short(1 / aspectRatio))
      : PixelSize(width: short(aspectRatio), height: longSide)
  }
}
