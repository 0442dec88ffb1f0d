internal import TesseraPixels

/// Enlarges a blurred copy to some columns of a tile, row by row: one row for every two of the
/// canvas, which is enough for what is that smooth.
struct SoftRows: ~Copyable {
  /// The rows that are made at a time: they stay in the first cache.
  private static let band = 16

  private let kernels: Kernels
  private var resampler: Resampler
  /// The row made last, then those that are made at a time.
  private var made = ScratchImage()
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
    made.prepare(PixelSize(width: columns.count, height: Self.band + 1))
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
      let first = y >> 1
      let end = min(first + Self.band, (rows.upperBound + 1) >> 1)
      let isKept = last == first
      let start = isKept ? first + 1 : first
      let size = PixelSize(width: columns.count, height: Self.band + 1)
      let made = made.plane(0, size)
      if start < end {
        let place = PixelRect(x: 0, y: 1, width: columns.count, height: end - start)
        resampler.rows(start - top..<end - top, into: made.cropped(to: place))
      }
      let whole = 0..<columns.count
      let limit = min(rows.upperBound, 2 * end)
      while y < limit {
        let row = isKept && y >> 1 == first ? 0 : (y >> 1) - start + 1
        kernels.copy(
          made.readOnly.row(row, whole),
          to: destination.row(
            y - origin.y, columns.lowerBound - origin.x..<columns.upperBound - origin.x))
        y += 1
      }
      if start < end {
        kernels.copy(made.readOnly.row(end - start, whole), to: made.row(0, whole))
      }
      last = end - 1
    }
  }
}
