internal import TesseraPixels

/// Enlarges a blurred copy to some columns of a tile, row by row: one row for every two of the
/// canvas, which is enough for what is that smooth.
struct SoftRows: ~Copyable {
  /// The canvas rows that are made at a time: they stay in the first cache. Even.
  private static let band = 64

  private let kernels: Kernels
  private var resampler: Resampler
  /// The row made last, where its second canvas row is still to come.
  private var kept = ScratchImage()
  /// Which row was made last.
  private var last: Int?
  /// The columns of the canvas's plane that are made.
  private var columns = 0..<0
  /// The canvas's row of the first row, halved.
  private var top = 0

  init(kernels: Kernels) {
    self.kernels = kernels
    self.resampler = Resampler(kernels: kernels)
  }

  /// Starts making `columns` of what `plan` makes of `source` for the samples of `visible`.
  mutating func begin(
    _ plan: PlanePlan, source: Plane, columns: Range<Int>, visible: PixelRect
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

  /// Makes the columns of `rows`, which go on downwards from call to call, in `destination`, whose
  /// first sample lies at `origin` of the canvas's plane.
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

  /// Makes the second canvas row of `row` alone.
  private mutating func second(of row: Int, into target: MutablePlane) {
    let kept = kept.plane(0, target.size)
    if last != row { resampler.rows(row - top..<row - top + 1, into: kept) }
    kernels.copy(kept.readOnly, to: target)
    last = row
  }

  /// Makes both canvas rows of every row from `first` on, as far as `target` reaches.
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
