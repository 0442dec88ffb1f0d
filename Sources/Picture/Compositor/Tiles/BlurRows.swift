internal import TesseraPixels

/// Enlarges a blurred copy to some columns of a tile, row by row. One row serves two canvas rows,
/// which is enough for a picture this smooth.
struct BlurRows: ~Copyable {
  /// The number of canvas rows computed at a time, which stay in the L1 cache. Even.
  private static let band = 64

  private let kernels: PixelKernels
  private var resampler: PlaneResampler
  /// The row computed last, if its second canvas row is still to come.
  private var kept = ScratchImage()
  /// The row computed last; `nil` before the first.
  private var last: Int?
  /// The columns of the canvas's plane to compute.
  private var columns = 0..<0
  /// The canvas row of the first row, halved.
  private var top = 0

  init(kernels: PixelKernels) {
    self.kernels = kernels
    self.resampler = PlaneResampler(kernels: kernels)
  }

  /// Starts computing `columns` of `source`, scaled by `plan` to the samples of `visible`.
  mutating func begin(
    _ plan: PlaneScalePlan, source: Plane, columns: Range<Int>, visible: PixelRect
  ) {
    self.columns = columns
    guard !columns.isEmpty else { return }
    last = nil
    top = visible.y >> 1
    kept.prepare(PixelSize(width: columns.count, height: 1))
    resampler.begin(
      plan, source: source, columns: columns.lowerBound - visible.x..<columns.upperBound - visible.x
    )
  }

  /// Writes rows number `rows` of the enlarged blurred copy to `destination`, whose first sample is
  /// at `origin` of the canvas's plane. Rows must ascend from call to call.
  mutating func rows(
    _ rows: Range<Int>, into destination: MutablePlane, at origin: (x: Int, y: Int)
  ) {
    guard !columns.isEmpty else { return }
    var y = rows.lowerBound
    while y < rows.upperBound {
      let end = y & 1 == 1 ? y + 1 : min(y + Self.band, rows.upperBound)
      let target = destination.cropped(
        to: PixelRect(
          x: columns.lowerBound - origin.x, y: y - origin.y, width: columns.count,
          height: end - y))
      if y & 1 == 1 { second(of: y >> 1, into: target) } else { pairs(from: y >> 1, into: target) }
      y = end
    }
  }

  /// Writes the second canvas row of `row`.
  private mutating func second(of row: Int, into target: MutablePlane) {
    let kept = kept.plane(0, target.size)
    if last != row { resampler.rows(row - top..<row - top + 1, into: kept) }
    kernels.copy(kept.readOnly, to: target)
    last = row
  }

  /// Writes both canvas rows of every row from `first` on, as far as `target` extends.
  private mutating func pairs(from first: Int, into target: MutablePlane) {
    let (width, height) = (target.size.width, target.size.height)
    let even = target.everyRow(2)
    let count = even.size.height
    resampler.rows(first - top..<first - top + count, into: even)
    if height > 1 {
      let odd = target.cropped(to: PixelRect(x: 0, y: 1, width: width, height: height - 1))
        .everyRow(2)
      let made = PixelRect(x: 0, y: 0, width: width, height: height / 2)
      kernels.copy(even.readOnly.cropped(to: made), to: odd)
    }
    if height & 1 == 1 {
      let row = PixelRect(x: 0, y: count - 1, width: width, height: 1)
      let size = PixelSize(width: width, height: 1)
      kernels.copy(even.readOnly.cropped(to: row), to: kept.plane(0, size))
    }
    last = first + count - 1
  }
}
