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
    /// The samples of `visible` that the content itself covers: all, but for a blurred copy.
    let inner: PixelRect
    /// How a picture is scaled to `inner`; nil for a plain color and where nothing is visible.
    let resample: PlanePlan?
    /// How a blurred copy is scaled to `visible`, one row for two; nil where there is none.
    let soft: PlanePlan?
  }

  /// How a picture becomes the canvas's colors.
  struct Conversion: Sendable {
    let colors: ColorConversion
    /// How its chroma is scaled to luma's samples, which depend on it.
    let chromaAtLuma: PlanePlan
  }

  /// The first pixel of the tile, from which sprites count; may lie outside the canvas.
  let origin: (x: Int, y: Int)
  /// The size of the tile, canvas or not.
  let size: PixelSize
  /// The pixels that the content covers, canvas or not.
  let area: PixelRect
  /// The radius of the corners.
  let cornerRadius: Double
  /// The canvas pixels of the tile, to which sprites are clipped.
  let frame: PixelRect
  /// The opacity, 255 for 1.
  let opacity: UInt8
  /// What to draw of luma and of chroma.
  let planes: Planar<Plane>
  /// What the coverage and the border of the planes belong to.
  private let coverage: TileCoverage
  /// Whether pictures are turned by a quarter, after the scaling.
  let transposes: Bool
  /// How pictures become the canvas's colors, after the scaling; nil where they have them.
  let conversion: Conversion?
  /// How the blurred copy is made; nil where there is none.
  let soft: SoftPlan?

  /// The plan of `key`, which has in common with others what `parts` knows.
  init(_ key: Key, filter: ResampleFilter, sharing parts: inout TilePlanParts) {
    let placement = key.placement
    let tile = PixelRect(rounding: key.frame)
    let isSoft = key.isSoft && key.picture != nil && tile.width > 1 && tile.height > 1
    let area = isSoft ? tile : PixelRect(rounding: placement.destination)
    let canvas = PixelRect(key.canvas)
    let visible = area.intersection(canvas)
    let inner = isSoft ? Self.inner(placement, tile).intersection(visible) : visible
    let coverage = parts.coverage(
      TileCoverage.Shape(
        area: area, visible: visible, alpha: key.alpha, radius: key.cornerRadius,
        borderWidth: key.borderWidth))
    let geometry = Self.geometry(key, placement, visible: inner, filter)
    let resample = geometry.map { parts.resample($0) }
    let soft = isSoft ? key.picture.map { parts.soft($0) } : nil
    let around = soft.flatMap { Self.geometry(key, $0, visible: visible) }
      .map { parts.resample($0) }
    self.origin = (tile.x, tile.y)
    self.size = tile.size
    self.area = area
    self.cornerRadius = key.cornerRadius
    self.frame = tile.intersection(canvas)
    self.opacity = UInt8(255 * key.alpha + 0.5)
    self.transposes = key.picture?.orientation.transposes ?? false
    self.conversion = Self.conversion(key.picture, geometry, &parts)
    self.coverage = coverage
    self.soft = around == nil ? nil : soft
    let opaque = Self.opaque(key, area).intersection(canvas)
    self.planes = Planar(
      luma: Plane(
        visible: visible, bars: Self.bars(frame, visible), opaque: opaque,
        coverage: coverage.content?.luma, border: coverage.border?.luma, inner: inner,
        resample: resample?.luma, soft: around?.luma),
      chroma: Plane(
        visible: visible.chroma, bars: Self.bars(frame.chroma, visible.chroma),
        opaque: opaque.wholeChroma, coverage: coverage.content?.chroma,
        border: coverage.border?.chroma, inner: inner.chroma, resample: resample?.chroma,
        soft: around?.chroma))
  }

  /// All luma samples that the tile touches with its decorations.
  func extent(_ draw: TileDraw) -> PixelRect {
    var extent = planes.luma.visible
    for sprite in draw.sprites { extent = extent.union(area(of: sprite).intersection(frame)) }
    return extent
  }

  /// Where a sprite lies on the canvas, not clipped.
  func area(of sprite: SpriteDraw) -> PixelRect {
    sprite.area(from: origin)
  }

  /// The pixels of a picture over its blurred copy: within the tile, whole chroma samples.
  private static func inner(_ placement: Fit.Placement, _ tile: PixelRect) -> PixelRect {
    let place = PixelRect(rounding: placement.destination)
    func even(_ start: Int, _ end: Int, _ least: Int, _ most: Int) -> (start: Int, end: Int) {
      (start <= least ? least : start & ~1, end >= most ? most : (end + 1) & ~1)
    }
    let columns = even(place.x, place.maxX, tile.x, tile.maxX)
    let rows = even(place.y, place.maxY, tile.y, tile.maxY)
    return PixelRect(
      x: columns.start, y: rows.start, width: columns.end - columns.start,
      height: rows.end - rows.start
    ).intersection(tile)
  }

  private static func conversion(
    _ picture: Shape?, _ geometry: ResamplePlan.Geometry?, _ parts: inout TilePlanParts
  ) -> Conversion? {
    guard let geometry, let colors = picture.flatMap({ ColorConversion(from: $0.color) }) else {
      return nil
    }
    return Conversion(colors: colors, chromaAtLuma: parts.chromaAtLuma(geometry))
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

  /// How a picture is scaled; nil for a plain color and where nothing is visible.
  private static func geometry(
    _ key: Key, _ placement: Fit.Placement, visible: PixelRect, _ filter: ResampleFilter
  ) -> ResamplePlan.Geometry? {
    guard let picture = key.picture, !visible.isEmpty else { return nil }
    return ResamplePlan.Geometry(
      source: picture.size, orientation: picture.orientation,
      crop: ResamplePlan.Area(placement.crop),
      destination: ResamplePlan.Area(placement.destination), area: visible, filter: filter,
      chroma: picture.chroma)
  }

  /// How a blurred copy is scaled, of which as much is shown as fills the tile.
  private static func geometry(
    _ key: Key, _ soft: SoftPlan, visible: PixelRect
  ) -> ResamplePlan.Geometry? {
    guard !visible.isEmpty else { return nil }
    let placement = Fit.Placement(
      aspectRatio: soft.shape.aspectRatio, in: key.frame, coverage: 1, focus: key.focus)
    // Every two rows of the canvas are one.
    let (place, end) = (placement.destination, (visible.maxY + 1) >> 1)
    return ResamplePlan.Geometry(
      source: soft.size, orientation: .upright, crop: ResamplePlan.Area(placement.crop),
      destination: ResamplePlan.Area(
        x: place.x, y: place.y / 2, width: place.width, height: place.height / 2),
      area: PixelRect(
        x: visible.x, y: visible.y >> 1, width: visible.width, height: end - (visible.y >> 1)),
      filter: .spline)
  }
}

extension ResamplePlan.Area {
  fileprivate init(_ rect: Rect) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}
