internal import Layout
internal import Pixels

/// Everything about drawing one tile that does not change from picture to picture.
final class TilePlan: Sendable {
  /// What a plan depends on.
  struct Key: Hashable {
    var canvas: PixelSize
    var frame: Rect
    var fit: Fit
    var alpha: Double
    var cornerRadius: Double
    var borderWidth: Double
    /// nil for a plain colour.
    var picture: Shape?

    init(_ tile: TileDraw, canvas: PixelSize, picture: Picture?) {
      self.canvas = canvas
      self.frame = tile.scaledFrame
      self.fit = tile.fit
      self.alpha = max(0, min(1, tile.alpha))
      self.cornerRadius = max(0, tile.cornerRadius * tile.scale)
      self.borderWidth = max(0, (tile.border?.width ?? 0) * tile.scale)
      self.picture = picture.map(Shape.init)
    }
  }

  /// What a plan depends on of a picture.
  struct Shape: Hashable {
    var size: PixelSize
    var orientation: Orientation
    var aspectRatio: Double

    init(_ picture: Picture) {
      self.size = picture.size
      self.orientation = picture.orientation
      self.aspectRatio = picture.displayAspectRatio
    }
  }

  /// The first pixel of the tile, from which overlays count; may lie outside the canvas.
  let origin: (x: Int, y: Int)
  /// The canvas pixels of the tile that overlays are clipped to.
  let frame: PixelRect
  /// The canvas pixels that the content covers.
  let visible: PixelRect
  /// Which samples of `visible` the content and the border cover.
  let coverage: TileCoverage
  /// How a picture is scaled; nil for a plain colour and where nothing is visible.
  let resample: ResamplePlan?

  init(_ key: Key, filter: ResampleFilter, kernels: Kernels) {
    let placement =
      key.picture.map { key.fit.place(aspectRatio: $0.aspectRatio, in: key.frame) }
      ?? Fit.Placement(destination: key.frame, crop: Rect(x: 0, y: 0, width: 1, height: 1))
    let tile = PixelRect(rounding: key.frame)
    let area = PixelRect(rounding: placement.destination)
    let canvas = PixelRect(key.canvas)
    self.origin = (tile.x, tile.y)
    self.frame = tile.intersection(canvas)
    self.visible = key.alpha > 0 ? area.intersection(canvas) : PixelRect(.zero)
    self.coverage = TileCoverage(
      area: area, visible: visible, alpha: key.alpha, radius: key.cornerRadius,
      border: key.borderWidth)
    guard let picture = key.picture, !visible.isEmpty else {
      self.resample = nil
      return
    }
    self.resample = ResamplePlan(
      ResamplePlan.Geometry(
        source: picture.size, orientation: picture.orientation,
        crop: ResamplePlan.Area(placement.crop),
        destination: ResamplePlan.Area(placement.destination), area: visible, filter: filter),
      kernels: kernels)
  }

  /// The pixels that hide whatever lies below, with even edges; may be empty.
  var opaque: PixelRect {
    coverage.isPlain ? visible.roundedInToEven : PixelRect(.zero)
  }
}

extension TileDraw {
  /// The frame, scaled about its centre.
  fileprivate var scaledFrame: Rect {
    Rect(
      x: frame.midX - frame.width * scale / 2, y: frame.midY - frame.height * scale / 2,
      width: max(0, frame.width * scale), height: max(0, frame.height * scale))
  }
}

extension ResamplePlan.Area {
  fileprivate init(_ rect: Rect) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}
