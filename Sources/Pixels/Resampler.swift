internal import CPixelKernels
internal import Glibc

/// Scales one plane at a time, row by row: reusable memory for the rows between the two passes.
///
/// ``begin(_:source:columns:)`` names a plan and a source, then ``row(_:into:)`` makes rows in
/// ascending order. Source rows go through the horizontal pass once, in pairs, into a ring that
/// stays in the first cache; the vertical pass sums over the ring.
@safe public struct Resampler: ~Copyable {
  private let kernels: Kernels
  private var plan: PlanePlan?
  private var source: Plane?
  private var columns = 0..<0
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
    self.plan = plan
    self.source = source
    self.columns = columns
    self.nextPair = 0
    let lookahead = Self.batch - 1
    ring.prepare(
      pairs: plan.rows.window + lookahead, width: plan.size.width, column: columns.lowerBound)
    if source.size.width < plan.columns.readable {
      copy.prepare(rows: 2 * Self.batch, width: plan.columns.readable)
    }
  }

  /// Makes row `y` of the result, the columns that `begin` named.
  ///
  /// - Precondition: rows are asked for in ascending order after `begin`, and `destination` has
  ///   a sample for every column.
  public mutating func row(_ y: Int, into destination: MutableRow) {
    precondition(destination.count == columns.count)
    guard let plan, let source, !columns.isEmpty else { return }
    let rows = plan.rows
    if let left = plan.columns.copyStart, let top = rows.copyStart {
      let start = unsafe source.base + rows.storedRow(top + y) * source.stride + left
      unsafe memcpy(destination.base, start + columns.lowerBound, columns.count)
      return
    }
    let row = rows.rows[y]
    nextPair = max(nextPair, row.oldestPair)
    while nextPair < row.endPair { scaleRows(plan, source) }
    unsafe rows.weights.withUnsafeBufferPointer { weights in
      unsafe kernels.table.vertical(
        destination.base, ring.vertical(from: row.firstPair),
        weights.baseAddress.unsafelyUnwrapped + row.offset,
        row.pairCount, columns.count)
    }
  }

  /// The pairs of source rows that go through the horizontal pass at a time.
  private static let batch = 2

  /// Sends the next pairs of source rows through the horizontal pass.
  private mutating func scaleRows(_ plan: PlanePlan, _ source: Plane) {
    let pairs = unsafe ring.horizontal(from: nextPair)
    var rows = unsafe InlineArray<4, UnsafePointer<UInt8>?>(repeating: nil)
    for index in 0..<2 * Self.batch {
      let stored = plan.rows.storedRow(2 * nextPair - plan.rows.parity + index)
      var start = unsafe source.base + stored * source.stride
      if source.size.width < plan.columns.readable {
        unsafe start = copy.copyRow(start, count: source.size.width, to: index)
      }
      unsafe rows[index] = start
    }
    unsafe withUnsafePointer(to: plan.columns.plan) { axis in
      unsafe rows.span.withUnsafeBufferPointer { rows in
        unsafe kernels.table.horizontal(
          axis, pairs, rows.baseAddress, Self.batch, columns.lowerBound, columns.upperBound)
      }
    }
    nextPair += Self.batch
  }
}
