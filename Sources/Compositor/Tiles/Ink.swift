internal import TesseraPixels

/// One plane of something that is laid over a tile or the canvas.
struct Ink {
  private let coverage: Plane
  /// Where the coverage lies, clipped.
  let area: PixelRect
  /// The position of the first sample of the coverage.
  private let origin: (x: Int, y: Int)
  /// The colors; nil where all samples have one value.
  private let colors: Plane?
  private let value: UInt8
  /// 255 for 1.
  private let opacity: UInt8

  /// Plane `index` of a mask at `whole` in one color, of which `clip` is drawn; nil for nothing.
  init?(
    _ overlay: TileDraw.Overlay, at whole: PixelRect, clippedTo clip: PixelRect, plane index: Int
  ) {
    self.init(
      overlay.mask, at: whole, clippedTo: clip, opacity: overlay.opacity, plane: index,
      colors: nil, value: overlay.color.sample(plane: index))
  }

  /// Plane `index` of a sprite at `whole`, of which `clip` is drawn; nil for nothing.
  init?(
    _ sprite: Sprite, at whole: PixelRect, clippedTo clip: PixelRect, opacity: Double,
    plane index: Int
  ) {
    let (oddX, oddY) = (whole.x & 1 == 1, whole.y & 1 == 1)
    self.init(
      sprite.coverage, at: whole, clippedTo: clip, opacity: opacity, plane: index,
      colors: index == 0
        ? sprite.luma : sprite.chroma(isRed: index == 2, oddX: oddX, oddY: oddY),
      value: 0)
  }

  private init?(
    _ mask: Mask, at whole: PixelRect, clippedTo clip: PixelRect, opacity: Double,
    plane index: Int, colors: Plane?, value: UInt8
  ) {
    let clipped = whole.intersection(clip)
    let opacity = UInt8(255 * max(0, min(1, opacity)) + 0.5)
    guard !clipped.isEmpty, opacity > 0 else { return nil }
    let (oddX, oddY) = (whole.x & 1 == 1, whole.y & 1 == 1)
    self.coverage = index == 0 ? mask.luma : mask.chroma(oddX: oddX, oddY: oddY)
    self.area = index == 0 ? clipped : clipped.chroma
    self.origin = index == 0 ? (whole.x, whole.y) : (whole.x >> 1, whole.y >> 1)
    self.colors = colors
    self.value = value
    self.opacity = opacity
  }

  /// Lays row `y` over `row`, which holds `columns` of it. `scratch` is as long.
  func lay(
    over row: MutableRow, y: Int, _ columns: Range<Int>, scratch: MutableRow, kernels: Kernels
  ) {
    guard opacity < 255 else {
      return lay(over: row, y, columns, own(coverage, y, columns), kernels)
    }
    kernels.scale(own(coverage, y, columns), by: opacity, into: scratch)
    lay(over: row, y, columns, scratch.readOnly, kernels)
  }

  /// The same, at `opacity` of what lies over a tile of that opacity.
  func lay(
    over row: MutableRow, y: Int, _ columns: Range<Int>, opacity outer: UInt8,
    scratch: MutableRow, kernels: Kernels
  ) {
    let both = (Int(opacity) * Int(outer) + 127) / 255
    kernels.scale(own(coverage, y, columns), by: UInt8(both), into: scratch)
    lay(over: row, y, columns, scratch.readOnly, kernels)
  }

  private func lay(
    over row: MutableRow, _ y: Int, _ columns: Range<Int>, _ coverage: Row, _ kernels: Kernels
  ) {
    if let colors {
      kernels.blend(own(colors, y, columns), over: row, coverage: coverage)
    } else {
      kernels.blend(value, over: row, coverage: coverage)
    }
  }

  private func own(_ plane: Plane, _ y: Int, _ columns: Range<Int>) -> Row {
    plane.row(y - origin.y, columns.lowerBound - origin.x..<columns.upperBound - origin.x)
  }
}

extension Kernels {
  /// Writes `coverage` times an opacity, 255 for 1.
  func scale(_ coverage: Row, by opacity: UInt8, into destination: MutableRow) {
    fill(destination, with: 0)
    blend(opacity, over: destination, coverage: coverage)
  }
}
