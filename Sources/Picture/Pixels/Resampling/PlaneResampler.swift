internal import CTesseraPixelKernels

/// Scales one plane at a time, row by row, with reusable memory for the rows between the two
/// passes.
///
/// ``begin(_:source:columns:)`` sets a plan and a source, then ``rows(_:into:)`` computes rows in
/// ascending order. Source rows go through the horizontal pass once, in pairs, into a ring that
/// stays in the L1 cache. The vertical pass sums over the ring. ``PixelKernels`` runs both passes;
/// `PixelKernels/reference.c` specifies their arithmetic.
@safe package struct PlaneResampler: ~Copyable {
  private let kernels: PixelKernels
  /// The current plan, retained because `pass` points into it.
  private var plan: PlaneScalePlan?
  private var pass: ScalePass?
  /// The next pair of source rows for the horizontal pass, and its slot in the ring.
  private var nextPair = 0
  private var nextSlot = 0
  private var ring = RowRing()
  private var copy = PaddedRows()

  /// Creates a resampler without memory. It allocates what plans need and keeps it.
  package init(kernels: PixelKernels) {
    self.kernels = kernels
  }

  /// Starts computing `columns` of the result of `plan` from `source`.
  ///
  /// - Precondition: The source has the size that the plan was computed for, and lives until the
  ///   last row is computed.
  package mutating func begin(_ plan: PlaneScalePlan, source: Plane, columns: Range<Int>) {
    precondition(source.size == plan.source)
    precondition(columns.lowerBound >= 0 && columns.upperBound <= plan.size.width)
    let pass = ScalePass(plan, source: source, columns: columns)
    self.plan = plan
    self.pass = pass
    (nextPair, nextSlot) = (0, 0)
    guard case .passes = pass.plan.method else { return }
    ring.prepare(
      pairs: pass.plan.ringPairs, width: plan.size.width, column: columns.lowerBound)
    if pass.isNarrow { copy.prepare(rows: 2 * pass.plan.batch, width: pass.plan.readable) }
  }

  /// Writes `rows` of the result to `destination`, with the columns given to `begin`.
  ///
  /// - Precondition: Rows ascend from call to call after `begin`, and `destination` has exactly
  ///   these rows and columns.
  package mutating func rows(_ rows: Range<Int>, into destination: MutablePlane) {
    guard let pass else { return }
    precondition(rows.lowerBound >= 0 && rows.upperBound <= pass.plan.rowCount)
    precondition(
      destination.size.height == rows.count && destination.size.width == pass.columns.count)
    switch pass.plan.method {
    case .passes: scaleRows(rows, of: pass, into: destination)
    case .copy(let column, let row):
      copyRows(rows, of: pass, column: column, row: row, into: destination)
    }
  }

  /// Writes the whole result of `plan` from `source` to `destination`.
  ///
  /// - Precondition: The planes have the sizes of the plan's source and result.
  package mutating func scale(
    _ source: Plane, by plan: PlaneScalePlan, into destination: MutablePlane
  ) {
    begin(plan, source: source, columns: 0..<plan.size.width)
    rows(0..<plan.size.height, into: destination)
  }

  /// Computes rows by the two passes, as many at a time as the row pairs in the ring allow.
  private mutating func scaleRows(
    _ rows: Range<Int>, of pass: ScalePass, into destination: MutablePlane
  ) {
    let plan = pass.plan
    var y = rows.lowerBound
    while y < rows.upperBound {
      let oldest = Int(unsafe plan.oldestPairs[y])
      if nextPair < oldest { (nextPair, nextSlot) = (oldest, oldest % plan.ringPairs) }
      let least = min((y | 1) + 1, rows.upperBound)
      while (unsafe Int(plan.readyRows[nextPair])) < least { scaleBatch(pass) }
      let ready = unsafe min(Int(plan.readyRows[nextPair]), rows.upperBound)
      // Rows 2i and 2i + 1 are computed together.
      let end = ready == rows.upperBound ? ready : max(least, ready & ~1)
      unsafe kernels.table.vertical(
        destination.base + (y - rows.lowerBound) * destination.stride, destination.stride,
        ring.vertical, plan.rows + y, end - y, pass.columns.count)
      y = end
    }
  }

  /// Copies the rows and columns that begin at `row` and `column` in the source.
  private func copyRows(
    _ rows: Range<Int>, of pass: ScalePass, column: Int, row: Int, into destination: MutablePlane
  ) {
    let first = unsafe pass.firstRow + (row + rows.lowerBound) * pass.stride
    unsafe kernels.table.copy(
      destination.base, destination.stride, first + column + pass.columns.lowerBound, pass.stride,
      rows.count, pass.columns.count)
  }

  /// Sends the next pairs of source rows through the horizontal pass.
  @inline(__always) private mutating func scaleBatch(_ pass: ScalePass) {
    let source = unsafe pass.isNarrow ? copiedRows(pass) : pass.sourceRows(pair: nextPair)
    unsafe kernels.table.horizontal(
      pass.plan.horizontal, ring.horizontal(slot: nextSlot), source.first, source.stride,
      source.pairs, pass.columns.lowerBound, pass.columns.upperBound)
    unsafe nextPair += source.pairs
    unsafe nextSlot += source.pairs
    if nextSlot >= pass.plan.ringPairs { nextSlot -= pass.plan.ringPairs }
  }

  /// Copies the next source rows to memory in which the kernels may read beyond their ends.
  @unsafe private mutating func copiedRows(
    _ pass: ScalePass
  ) -> (first: UnsafePointer<UInt8>, stride: Int, pairs: Int) {
    let pairs = pass.pairs(from: nextPair)
    for index in 0..<2 * pairs {
      unsafe copy.copyRow(
        pass.sourceRow(pair: nextPair, index), count: pass.sourceWidth, to: index)
    }
    return unsafe (copy.first, copy.stride, pairs)
  }
}
