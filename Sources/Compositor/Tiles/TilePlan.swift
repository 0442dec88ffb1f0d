internal import TesseraLayout
internal import TesseraPixels

/// Everything about drawing one tile that does not change from picture to picture.
final class TilePlan: Sendable {
  /// One kind of plane of a tile, in samples of that plane.
  struct Plane: Sendable {
    /// The samples that the content covers, wholly or in part.
    let visible: PixelRect
    /// The samples of the tile beside those.
    let bars: [PixelRect]
    /// The samples that hide whatever lies below; may be empty.
    let opaque: PixelRect
    /// How much of `visible` the content covers; nil for all of it.
    let coverage: PlaneCoverage?
    /// How much of the content the border covers; nil for nothing.
    let border: PlaneCoverage?
    /// How a picture is scaled; nil for a plain colour and where nothing is visible.
    let resample: PlanePlan?
  }

  /// The first pixel of the tile, from which overlays count; may lie outside the canvas.
  let origin: (x: Int, y: Int)
  /// The canvas pixels of the tile, to which overlays are clipped.
  let frame: PixelRect
  /// The opacity, 255 for 1.
  let opacity: UInt8
  /// What to draw of luma and of chroma.
  let planes: Planar<Plane>
  /// What the coverage and the border of the planes belong to.
  private let coverage: TileCoverage
  /// Whether pictures are turned by a quarter, after the scaling.
  let transposes: Bool
  /// How pictures become the canvas's colours, after the scaling; nil where they have them.
  let conversion: ColorConversion?

  /// The plan of `key`, which has in common with others what `parts` knows.
  init(_ key: Key, filter: ResampleFilter, sharing parts: inout TilePlanParts) {
    let placement = key.placement
    let tile = PixelRect(rounding: key.frame)
    let area = PixelRect(rounding: placement.destination)
    let canvas = PixelRect(key.canvas)
    let frame = tile.intersection(canvas)
    let visible = area.intersection(canvas)
    let coverage = parts.coverage(
      TileCoverage.Shape(
        area: area, visible: visible, alpha: key.alpha, radius: key.cornerRadius,
        borderWidth: key.borderWidth))
    let opaque = Self.opaque(key, area).intersection(canvas)
    let resample = Self.geometry(key, placement, visible: visible, filter).map {
      parts.resample($0)
    }
    self.origin = (tile.x, tile.y)
    self.frame = frame
    self.opacity = UInt8(255 * key.alpha + 0.5)
    self.transposes = key.picture?.orientation.transposes ?? false
    self.conversion = key.picture.flatMap { ColorConversion(from: $0.color) }
    self.coverage = coverage
    self.planes = Planar(
      luma: Plane(
        visible: visible, bars: Self.bars(frame, visible), opaque: opaque,
        coverage: coverage.content?.luma, border: coverage.border?.luma, resample: resample?.luma),
      chroma: Plane(
        visible: visible.chroma, bars: Self.bars(frame.chroma, visible.chroma),
        opaque: opaque.wholeChroma, coverage: coverage.content?.chroma,
        border: coverage.border?.chroma, resample: resample?.chroma))
  }

  /// All luma samples that the tile touches with these overlays.
  func extent(_ overlays: [TileDraw.Overlay]) -> PixelRect {
    var extent = planes.luma.visible
    for overlay in overlays { extent = extent.union(area(of: overlay).intersection(frame)) }
    return extent
  }

  /// Where an overlay lies on the canvas, not clipped.
  func area(of overlay: TileDraw.Overlay) -> PixelRect {
    PixelRect(overlay.mask.size).moved(by: origin.x + overlay.x, origin.y + overlay.y)
  }

  private static func bars(_ frame: PixelRect, _ visible: PixelRect) -> [PixelRect] {
    var bars = Region()
    bars.insert(frame)
    bars.subtract(visible)
    return bars.rectangles
  }

  /// The luma samples of `area` that are covered wholly: the rows beside the round corners are not.
  private static func opaque(_ key: Key, _ area: PixelRect) -> PixelRect {
    guard key.alpha >= 1 else { return .empty }
    guard key.cornerRadius > 0 else { return area }
    let rows = RoundedShape(area, radius: key.cornerRadius).straightRows
    return PixelRect(x: area.x, y: rows.lowerBound, width: area.width, height: rows.count)
  }

  /// How a picture is scaled; nil for a plain colour and where nothing is visible.
  private static func geometry(
    _ key: Key, _ placement: Fit.Placement, visible: PixelRect, _ filter: ResampleFilter
  ) -> ResamplePlan.Geometry? {
    guard let picture = key.picture, !visible.isEmpty else { return nil }
    return ResamplePlan.Geometry(
      source: picture.size, orientation: picture.orientation,
      crop: ResamplePlan.Area(placement.crop),
      destination: ResamplePlan.Area(placement.destination), area: visible, filter: filter)
  }
}

extension ResamplePlan.Area {
  fileprivate init(_ rect: Rect) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}
