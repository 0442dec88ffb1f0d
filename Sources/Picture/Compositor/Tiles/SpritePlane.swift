internal import TesseraPixels

/// One plane of a sprite that is blended over a tile or the canvas.
struct SpritePlane {
  private let coverage: Plane
  /// The rectangle of the coverage, clipped, in samples of the plane.
  let area: PixelRect
  /// The position of the coverage's first sample, not clipped.
  private let origin: (x: Int, y: Int)
  private let colors: Plane
  /// The opacity, with 255 for 1.
  private let opacity: UInt8

  /// Creates the ink of plane `index` of a sprite at the luma rectangle `whole`, clipped to `clip`;
  /// `nil` if nothing is visible.
  init?(
    _ sprite: Sprite, at whole: PixelRect, clippedTo clip: PixelRect, opacity: Double,
    plane index: Int
  ) {
    let clipped = whole.intersection(clip)
    let opacity = UInt8(255 * max(0, min(1, opacity)) + 0.5)
    guard !clipped.isEmpty, opacity > 0 else { return nil }
    let (oddX, oddY) = (whole.x & 1 == 1, whole.y & 1 == 1)
    if index == 0 {
      (coverage, colors) = (sprite.coverage.luma, sprite.luma)
      (area, origin) = (clipped, (whole.x, whole.y))
    } else {
      coverage = sprite.coverage.chroma(oddX: oddX, oddY: oddY)
      colors = sprite.chroma(isRed: index == 2, oddX: oddX, oddY: oddY)
      (area, origin) = (clipped.chroma, (whole.x >> 1, whole.y >> 1))
    }
    self.opacity = opacity
  }

  /// Blends row `y` over `row`, which contains the plane's `columns`. `scratch` must be as long as
  /// `row`.
  func lay(
    over row: MutableRow, y: Int, _ columns: Range<Int>, scratch: MutableRow, kernels: PixelKernels
  ) {
    guard opacity < 255 else {
      return lay(over: row, y, columns, own(coverage, y, columns), kernels)
    }
    kernels.scale(own(coverage, y, columns), by: opacity, into: scratch)
    lay(over: row, y, columns, scratch.readOnly, kernels)
  }

  /// Blends row `y` over `row` as part of a tile with the opacity `outer` (255 for 1). `scratch`
  /// must be as long as `row`.
  func lay(
    over row: MutableRow, y: Int, _ columns: Range<Int>, opacity outer: UInt8,
    scratch: MutableRow, kernels: PixelKernels
  ) {
    let both = (Int(opacity) * Int(outer) + 127) / 255
    kernels.scale(own(coverage, y, columns), by: UInt8(both), into: scratch)
    lay(over: row, y, columns, scratch.readOnly, kernels)
  }

  private func lay(
    over row: MutableRow, _ y: Int, _ columns: Range<Int>, _ coverage: Row, _ kernels: PixelKernels
  ) {
    kernels.blend(own(colors, y, columns), over: row, coverage: coverage)
  }

  private func own(_ plane: Plane, _ y: Int, _ columns: Range<Int>) -> Row {
    plane.row(y - origin.y, columns.lowerBound - origin.x..<columns.upperBound - origin.x)
  }
}

extension PixelKernels {
  /// Writes `coverage` times `opacity`, with 255 for 1, to `destination`.
  func scale(_ coverage: Row, by opacity: UInt8, into destination: MutableRow) {
    fill(destination, with: 0)
    blend(opacity, over: destination, coverage: coverage)
  }
}
