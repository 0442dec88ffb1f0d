internal import TesseraPixels
import TesseraTimeline

/// The plan by which pictures of one shape are reduced to the small copies that are enlarged behind
/// them where ``PictureFit/blur`` would leave bars. A copy is a few dozen pixels, upright and in
/// the canvas's colors.
///
/// Only every few rows of a picture are read. Each sample of the copy is a mean over a triangle two
/// samples wide, so a few rows for each are enough. Wide pictures are first shrunk to an eighth of
/// their width and half of those rows by plain means, which is fastest. Enlarging by the cubic
/// B-spline blurs the copy further, and without steps.
final class BlurPlan: Sendable {
  /// The scaling steps of one plane.
  struct Plane: Sendable {
    /// The first step, to an eighth of the width; `nil` if the picture is narrow.
    let narrowing: PlaneScalePlan?
    /// The last step, to the size of the copy before transposition.
    let shrinking: PlaneScalePlan
  }

  /// The longer side of a copy in pixels.
  private static let longSide = 32
  /// The least number of source rows that are read for a row of the copy.
  private static let rowsRead = 4
  /// The factors by which wide pictures are shrunk first: of the columns, and of the rows that are
  /// read.
  private static let step = (columns: 8, rows: 2)

  let shape: TilePlan.PictureShape
  /// The size of the copy as displayed.
  let size: PixelSize
  /// The distance of the source rows that are read: 1 reads every row.
  let rowStep: Int
  let luma: Plane
  let chroma: Plane
  let conversion: TilePlan.Conversion?

  init(_ shape: TilePlan.PictureShape, planner: inout ResamplePlanner) {
    self.shape = shape
    size = Self.size(aspectRatio: shape.aspectRatio)
    let coded = shape.orientation.transposes ? size.transposed : size
    rowStep = max(1, shape.size.height / (Self.rowsRead * coded.height))
    luma = Self.plane(shape.size, to: coded, rowStep, shape.orientation, &planner)
    chroma = Self.plane(shape.size.chroma, to: coded.chroma, rowStep, shape.orientation, &planner)
    conversion = Self.conversion(shape, size, &planner)
  }

  private static func conversion(
    _ shape: TilePlan.PictureShape, _ size: PixelSize, _ planner: inout ResamplePlanner
  ) -> TilePlan.Conversion? {
    guard let colors = ColorConversion(from: shape.color) else { return nil }
    let widening = PictureScalePlan.Geometry(
      source: size, orientation: .upright,
      crop: PictureScalePlan.FractionalRect(x: 0, y: 0, width: 1, height: 1),
      destination: PictureScalePlan.FractionalRect(
        x: 0, y: 0, width: Double(size.width), height: Double(size.height)),
      area: PixelRect(size), filter: .bilinear)
    return TilePlan.Conversion(colors: colors, chromaAtLuma: planner.chromaAtLuma(widening))
  }

  private static func plane(
    _ source: PixelSize, to size: PixelSize, _ rowStep: Int, _ orientation: Orientation,
    _ planner: inout ResamplePlanner
  ) -> Plane {
    let rows = PixelSize(
      width: source.width, height: (source.height + rowStep - 1) / rowStep)
    let isWide = source.width >= 2 * step.columns * size.width && rows.height >= 2 * size.height
    let narrow =
      isWide
      ? PixelSize(width: rows.width / step.columns, height: rows.height / step.rows) : rows
    func plan(
      _ source: PixelSize, _ size: PixelSize, _ extent: (width: Double, height: Double),
      _ orientation: Orientation, _ filter: ResampleFilter
    ) -> PlaneScalePlan {
      planner.plan(
        PictureScalePlan.Geometry(
          source: source, orientation: orientation,
          crop: PictureScalePlan.FractionalRect(x: 0, y: 0, width: 1, height: 1),
          destination: PictureScalePlan.FractionalRect(
            x: 0, y: 0, width: extent.width, height: extent.height),
          area: PixelRect(size), filter: filter)
      ).luma
    }
    // The transposition follows the scaling.
    let mirroring = Orientation(
      transposed: false, mirroredHorizontally: orientation.mirrorsHorizontally,
      mirroredVertically: orientation.mirrorsVertically)
    let (width, height) = (Double(rows.width), Double(rows.height))
    let extent = (width / Double(step.columns), height / Double(step.rows))
    return Plane(
      narrowing: isWide ? plan(rows, narrow, extent, .upright, .area) : nil,
      shrinking: plan(
        narrow, size, (Double(size.width), Double(size.height)), mirroring, .bilinear))
  }

  /// Returns the size of the copy of a picture of `aspectRatio`, with even sides.
  static func size(aspectRatio: Double) -> PixelSize {
    func short(_ share: Double) -> Int {
      max(2, 2 * Int(saturating: (Double(longSide) * share / 2).rounded()))
    }
    guard aspectRatio > 0, aspectRatio.isFinite else {
      return PixelSize(width: longSide, height: longSide)
    }
    return aspectRatio >= 1
      ? PixelSize(width: longSide, height: short(1 / aspectRatio))
      : PixelSize(width: short(aspectRatio), height: longSide)
  }
}
