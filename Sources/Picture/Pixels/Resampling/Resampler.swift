internal import CTesseraPixelKernels

/// Scales one plane at a time, row by row: reusable memory for the rows between the two passes.
///
/// ``begin(_:source:columns:)`` names a plan and a source, then ``rows(_:into:)`` makes rows in
/// ascending order. Source rows go through the horizontal pass once, in pairs, into a ring that
/// stays in the first cache; the vertical pass sums over the ring.
@safe package struct Resampler: ~Copyable {
  private let kernels: Kernels
  /// Keeps what `pass` points at.
  private var plan: PlanePlan?
  private var pass: ScalePass?
  /// The next pair of source rows that goes through the horizontal pass, and its place in the ring.
  private var nextPair = 0
  private var nextSlot = 0
  private var ring = RowRing()
  private var copy = ScratchRows()

  /// A resampler without memory yet; it takes what the plans need and keeps it.
  package init(kernels: Kernels) {
    self.kernels = kernels
  }

  /// Starts making rows of `plan` from `source`, only the given columns of the result.
  ///
  /// - Precondition: the source has the size that the plan was made for, and lives until the last
  ///   row is made.
  package mutating func begin(_ plan: PlanePlan, source: Plane, columns: Range<Int>) {
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

  /// Makes rows `rows` of the result, the columns that `begin` named.
  ///
  /// - Precondition: rows are asked for in ascending order after `begin`, and `destination` has
  ///   a row for every one and a column for every column.
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

  /// Makes rows by the two passes: as many at a time as the pairs of source rows in the ring allow.
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
      // Rows 2i and 2i + 1 are made together.
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

  /// The next rows, copied to where the kernels may read after them.
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
