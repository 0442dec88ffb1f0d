internal import TesseraLayout
internal import TesseraPixels

/// Everything needed to draw one tile that does not change from picture to picture.
final class TilePlan: Sendable {
  /// The plan for one kind of plane of a tile, in samples of that plane.
  struct Plane: Sendable {
    /// The samples that the content covers, wholly or in part.
    let visible: PixelRect
    /// The samples of the tile outside `visible`.
    let bars: [PixelRect]
    /// The samples that hide everything below; may be empty.
    let opaque: PixelRect
    /// The content's coverage of `visible`; `nil` if it covers everything.
    let coverage: PlaneCoverage?
    /// The border's share of the content; `nil` if there is no border.
    let border: PlaneCoverage?
    /// The samples of `visible` that the content itself covers: all, unless a blurred copy
    /// surrounds it.
    let inner: PixelRect
    /// The plan that scales a picture to `inner`; `nil` for a plain color and if nothing is
    /// visible.
    let resample: PlaneScalePlan?
    /// The plan that scales a blurred copy to `visible`, one row for two canvas rows; `nil` if
    /// there is no copy.
    let soft: PlaneScalePlan?
  }

  /// The conversion of a picture to the canvas's colors.
  struct Conversion: Sendable {
    let colors: ColorConversion
    /// The plan that scales chroma to luma's samples, because the converted luma depends on chroma.
    let chromaAtLuma: PlaneScalePlan
  }

  /// The first pixel of the tile, from which sprites are positioned; may be outside the canvas.
  let origin: (x: Int, y: Int)
  /// The size of the tile, parts outside the canvas included.
  let size: PixelSize
  /// The pixels that the content covers, parts outside the canvas included.
  let area: PixelRect
  /// The radius of the corners in canvas pixels.
  let cornerRadius: Double
  /// The canvas pixels of the tile, to which sprites are clipped.
  let frame: PixelRect
  /// The opacity, with 255 for 1.
  let opacity: UInt8
  /// The plans for luma and chroma.
  let planes: PlanePair<Plane>
  /// The owner of the planes' coverage and border.
  private let coverage: TileCoverage
  /// True if pictures are transposed after the scaling.
  let transposes: Bool
  /// The color conversion after the scaling; `nil` if pictures have the canvas's colors.
  let conversion: Conversion?
  /// The plan of the blurred copy; `nil` if there is none.
  let soft: BlurPlan?

  /// Computes the plan of `key`. Parts that other plans share are taken from `parts`.
  init(_ key: Key, filter: ResampleFilter, sharing parts: inout TilePlanResources) {
    let placement = key.placement
    let tile = PixelRect(rounding: key.frame)
    let isSoft = key.isSoft && key.picture != nil && tile.width > 1 && tile.height > 1
    let area = isSoft ? tile : PixelRect(rounding: placement.destination)
    let canvas = PixelRect(key.canvas)
    let visible = area.intersection(canvas)
    let inner = isSoft ? Self.inner(placement, tile).intersection(visible) : visible
    let coverage = parts.coverage(
      TileCoverage.TileShape(
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
    self.planes = PlanePair(
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

  /// Returns the bounds of all luma samples that the tile and the sprites of `draw` touch.
  func extent(_ draw: TilePlacement) -> PixelRect {
    var extent = planes.luma.visible
    for sprite in draw.sprites { extent = extent.union(area(of: sprite).intersection(frame)) }
    return extent
  }

  /// Returns the rectangle of `sprite` on the canvas, not clipped.
  func area(of sprite: SpritePlacement) -> PixelRect {
    sprite.area(from: origin)
  }

  /// Returns the pixels of a picture over its blurred copy: within the tile, with edges on whole
  /// chroma samples.
  private static func inner(_ placement: PictureFit.Placement, _ tile: PixelRect) -> PixelRect {
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
    _ picture: PictureShape?, _ geometry: PictureScalePlan.Geometry?,
    _ parts: inout TilePlanResources
  ) -> Conversion? {
    guard let geometry, let colors = picture.flatMap({ ColorConversion(from: $0.color) }) else {
      return nil
    }
    return Conversion(colors: colors, chromaAtLuma: parts.chromaAtLuma(geometry))
  }

  private static func bars(_ frame: PixelRect, _ visible: PixelRect) -> [PixelRect] {
    var bars = PixelRectSet()
    bars.insert(frame)
    bars.subtract(visible)
    return bars.rectangles
  }

  /// Returns the luma samples of `area` that are fully covered, without the rows of round corners.
  private static func opaque(_ key: Key, _ area: PixelRect) -> PixelRect {
    guard key.alpha >= 1 else { return .empty }
    guard key.cornerRadius > 0 else { return area }
    let rows = RoundedShape(area, radius: key.cornerRadius).straightRows
    return PixelRect(x: area.x, y: rows.lowerBound, width: area.width, height: rows.count)
  }

  /// Returns the geometry that scales a picture; `nil` for a plain color and if nothing is visible.
  private static func geometry(
    _ key: Key, _ placement: PictureFit.Placement, visible: PixelRect, _ filter: ResampleFilter
  ) -> PictureScalePlan.Geometry? {
    guard let picture = key.picture, !visible.isEmpty else { return nil }
    return PictureScalePlan.Geometry(
      source: picture.size, orientation: picture.orientation,
      crop: PictureScalePlan.FractionalRect(placement.crop),
      destination: PictureScalePlan.FractionalRect(placement.destination), area: visible,
      filter: filter,
      chroma: picture.chroma)
  }

  /// Returns the geometry that scales a blurred copy so that it fills the tile; `nil` if nothing is
  /// visible.
  private static func geometry(
    _ key: Key, _ soft: BlurPlan, visible: PixelRect
  ) -> PictureScalePlan.Geometry? {
    guard !visible.isEmpty else { return nil }
    let placement = PictureFit.Placement(
      aspectRatio: soft.shape.aspectRatio, in: key.frame, coverage: 1, focus: key.focus)
    // One row stands for two rows of the canvas.
    let (place, end) = (placement.destination, (visible.maxY + 1) >> 1)
    return PictureScalePlan.Geometry(
      source: soft.size, orientation: .upright,
      crop: PictureScalePlan.FractionalRect(placement.crop),
      destination: PictureScalePlan.FractionalRect(
        x: place.x, y: place.y / 2, width: place.width, height: place.height / 2),
      area: PixelRect(
        x: visible.x, y: visible.y >> 1, width: visible.width, height: end - (visible.y >> 1)),
      filter: .spline)
  }
}

extension PictureScalePlan.FractionalRect {
  fileprivate init(_ rect: Rect) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}
