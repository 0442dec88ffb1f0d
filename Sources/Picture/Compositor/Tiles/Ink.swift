internal import TesseraPixels

/// One plane of something that is laid over a tile or the canvas.
struct Ink {
  private let coverage: Plane
  /// Where the coverage lies, clipped.
  let area: PixelRect
  /// The position of the first sample of the coverage.
  private let origin: (x: Int, y: Int)
  private let colors: Plane
  /// 255 for 1.
  private let opacity: UInt8

  /// Plane `index` of a sprite at `whole`, of which `clip` is drawn; nil for nothing.
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
    kernels.blend(own(colors, y, columns), over: row, coverage: coverage)
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
