internal import CPixelKernels
internal import Glibc

/// Scales one plane at a time, row by row: reusable memory for the rows between the two passes.
///
/// ``begin(_:source:columns:)`` names a plan and a source, then ``row(_:into:)`` makes rows in
/// ascending order. Source rows go through the horizontal pass once, in pairs, into a ring that
/// stays in the first cache; the vertical pass sums over the ring.
@safe public struct Resampler: ~Copyable {
  private let kernels: Kernels
  /// Keeps what `pass` points at.
  private var plan: PlanePlan?
  private var pass: ScalePass?
  private var nextPair = 0
  private var ring = RowRing()
  private var copy = ScratchRows()

  /// A resampler without memory yet; it takes what the plans need and keeps it.
  public init(kernels: Kernels) {
    self.kernels = kernels
  }

  /// Starts making rows of `plan` from `source`, only the given columns of the result.
  ///
  /// - Precondition: the source has the size that the plan was made for, and lives until the last
  ///   row is made.
  public mutating func begin(_ plan: PlanePlan, source: Plane, columns: Range<Int>) {
    precondition(source.size == plan.source)
    precondition(columns.lowerBound >= 0 && columns.upperBound <= plan.size.width)
    let pass = ScalePass(plan, source: source, columns: columns)
    self.plan = plan
    self.pass = pass
    self.nextPair = 0
    guard !pass.copies else { return }
    let lookahead = Self.batch - 1
    ring.prepare(
      pairs: plan.rows.window + lookahead, width: plan.size.width, column: columns.lowerBound)
    if pass.isNarrow { copy.prepare(rows: 2 * Self.batch, width: plan.columns.readable) }
  }

  /// Makes row `y` of the result, the columns that `begin` named.
  ///
  /// - Precondition: rows are asked for in ascending order after `begin`, and `destination` has
  ///   a sample for every column.
  public mutating func row(_ y: Int, into destination: MutableRow) {
    guard let pass else { return }
    precondition(y >= 0 && y < pass.rowCount && destination.count == pass.columns.count)
    if pass.copies {
      unsafe memcpy(destination.base, pass.copiedRow(y), destination.count)
      return
    }
    guard destination.count > 0 else { return }
    let row = unsafe pass.rows[y]
    nextPair = max(nextPair, row.oldestPair)
    while nextPair < row.endPair { scaleRows(pass) }
    unsafe kernels.table.vertical(
      destination.base, ring.vertical(from: row.firstPair), pass.weights + row.offset,
      row.pairCount, destination.count)
  }

  /// The pairs of source rows that go through the horizontal pass at a time.
  private static let batch = 2

  /// Sends the next pairs of source rows through the horizontal pass.
  private mutating func scaleRows(_ pass: ScalePass) {
    var rows = unsafe InlineArray<4, UnsafePointer<UInt8>?>(repeating: nil)
    for index in 0..<2 * Self.batch {
      var start = unsafe pass.sourceRow(pair: nextPair, index)
      if pass.isNarrow {
        unsafe start = copy.copyRow(start, count: pass.sourceWidth, to: index)
      }
      unsafe rows[index] = start
    }
    unsafe rows.span.withUnsafeBufferPointer { rows in
      unsafe kernels.table.horizontal(
        pass.horizontal, ring.horizontal(from: nextPair), rows.baseAddress, Self.batch,
        pass.columns.lowerBound, pass.columns.upperBound)
    }
    nextPair += Self.batch
  }
}
