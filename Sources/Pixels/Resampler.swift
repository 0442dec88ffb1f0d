internal import CPixelKernels
internal import Glibc

/// Scales one plane at a time, row by row: reusable memory for the rows between the two passes.
///
/// ``begin(_:source:columns:)`` names a plan and a source, then ``rows(_:into:)`` makes rows in
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
    guard pass.meanSide == 0 else { return }
    ring.prepare(
      pairs: plan.rows.ringPairs, width: plan.size.width, column: columns.lowerBound)
    if pass.isNarrow { copy.prepare(rows: 2 * Self.batch, width: plan.columns.readable) }
  }

  /// Makes rows `rows` of the result, the columns that `begin` named.
  ///
  /// - Precondition: rows are asked for in ascending order after `begin`, and `destination` has
  ///   a row for every one and a column for every column.
  public mutating func rows(_ rows: Range<Int>, into destination: MutablePlane) {
    guard let pass else { return }
    precondition(rows.lowerBound >= 0 && rows.upperBound <= pass.rowCount)
    precondition(
      destination.size.height == rows.count && destination.size.width == pass.columns.count)
    guard pass.meanSide != 1 else { return copyRows(rows, of: pass, into: destination) }
    for (line, y) in rows.enumerated() {
      unsafe makeRow(y, of: pass, at: destination.base + line * destination.stride)
    }
  }

  @inline(__always) @unsafe
  private mutating func makeRow(
    _ y: Int, of pass: ScalePass, at destination: UnsafeMutablePointer<UInt8>
  ) {
    if pass.meanSide > 0 {
      unsafe average(y, of: pass, at: destination)
      return
    }
    let row = unsafe pass.rows[y]
    nextPair = max(nextPair, row.oldestPair)
    while nextPair < row.endPair { scaleRows(pass) }
    unsafe kernels.table.vertical(
      destination, ring.vertical(slot: row.slot), pass.weights + row.offset, row.pairCount,
      pass.columns.count)
  }

  private func copyRows(
    _ rows: Range<Int>, of pass: ScalePass, into destination: MutablePlane
  ) {
    guard !rows.isEmpty else { return }
    var source = unsafe pass.meanRow(rows.lowerBound, 0)
    let step = unsafe pass.meanRow(rows.upperBound - 1, 0) - source
    let stride = rows.count > 1 ? step / (rows.count - 1) : 0
    var target = unsafe destination.base
    for _ in rows {
      unsafe memcpy(target, source, pass.columns.count)
      unsafe source += stride
      unsafe target += destination.stride
    }
  }

  /// Makes a row of means: the bytes that the two passes would make.
  @inline(__always) @unsafe
  private func average(
    _ y: Int, of pass: ScalePass, at destination: UnsafeMutablePointer<UInt8>
  ) {
    guard pass.meanSide > 1 else {
      unsafe memcpy(destination, pass.meanRow(y, 0), pass.columns.count)
      return
    }
    var rows = unsafe InlineArray<4, UnsafePointer<UInt8>?>(repeating: nil)
    for index in 0..<pass.meanSide { unsafe rows[index] = pass.meanRow(y, index) }
    unsafe rows.span.withUnsafeBufferPointer { rows in
      unsafe kernels.table.average(
        destination, rows.baseAddress, pass.meanSide, pass.columns.count)
    }
  }

  /// The pairs of source rows that go through the horizontal pass at a time.
  static let batch = 4

  /// Sends the next pairs of source rows through the horizontal pass.
  @inline(__always) private mutating func scaleRows(_ pass: ScalePass) {
    var rows = unsafe InlineArray<8, UnsafePointer<UInt8>?>(repeating: nil)
    for index in 0..<2 * Self.batch {
      var start = unsafe pass.sourceRow(pair: nextPair, index)
      if pass.isNarrow {
        unsafe start = copy.copyRow(start, count: pass.sourceWidth, to: index)
      }
      unsafe rows[index] = start
    }
    unsafe rows.span.withUnsafeBufferPointer { rows in
      unsafe kernels.table.horizontal(
        pass.horizontal, ring.horizontal(slot: nextPair % pass.ringPairs), rows.baseAddress,
        Self.batch, pass.columns.lowerBound, pass.columns.upperBound)
    }
    nextPair += Self.batch
  }
}
