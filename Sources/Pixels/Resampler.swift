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
  /// The next pair of source rows that goes through the horizontal pass, and its place in the ring.
  private var nextPair = 0
  private var nextSlot = 0
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
    (nextPair, nextSlot) = (0, 0)
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
    switch pass.meanSide {
    case 0: scaleRows(rows, of: pass, into: destination)
    case 1: copyRows(rows, of: pass, into: destination)
    default: averageRows(rows, of: pass, into: destination)
    }
  }

  /// Makes rows by the two passes: as many at a time as the pairs of source rows in the ring allow.
  private mutating func scaleRows(
    _ rows: Range<Int>, of pass: ScalePass, into destination: MutablePlane
  ) {
    var y = rows.lowerBound
    while y < rows.upperBound {
      let need = unsafe pass.needs[y]
      if nextPair < need.oldestPair {
        (nextPair, nextSlot) = (need.oldestPair, need.oldestPair % pass.ringPairs)
      }
      var end = nextRow(behind: y, rows.upperBound)
      while nextPair < (unsafe pass.needs[end - 1].endPair) { scaleBatch(pass) }
      while end < rows.upperBound, end.isMultiple(of: 2) {
        let next = nextRow(behind: end, rows.upperBound)
        guard unsafe pass.needs[next - 1].endPair <= nextPair else { break }
        end = next
      }
      unsafe kernels.table.vertical(
        destination.base + (y - rows.lowerBound) * destination.stride, destination.stride,
        ring.vertical, pass.rows + y, end - y, pass.columns.count)
      y = end
    }
  }

  /// The row behind those that are made together with `row`.
  private func nextRow(behind row: Int, _ limit: Int) -> Int { min((row | 1) + 1, limit) }

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

  /// Makes rows of means: the bytes that the two passes would make.
  private func averageRows(
    _ rows: Range<Int>, of pass: ScalePass, into destination: MutablePlane
  ) {
    var target = unsafe destination.base
    for y in rows {
      var sources = unsafe InlineArray<4, UnsafePointer<UInt8>?>(repeating: nil)
      for index in 0..<pass.meanSide { unsafe sources[index] = pass.meanRow(y, index) }
      unsafe sources.span.withUnsafeBufferPointer { sources in
        unsafe kernels.table.average(
          target, sources.baseAddress, pass.meanSide, pass.columns.count)
      }
      unsafe target += destination.stride
    }
  }

  /// The pairs of source rows that go through the horizontal pass at a time.
  static let batch = 4

  /// Sends the next pairs of source rows through the horizontal pass.
  @inline(__always) private mutating func scaleBatch(_ pass: ScalePass) {
    var rows = unsafe InlineArray<8, UnsafePointer<UInt8>?>(repeating: nil)
    if let inside = unsafe pass.consecutiveRows(pair: nextPair, count: 2 * Self.batch) {
      var start = unsafe inside.first
      for index in 0..<2 * Self.batch {
        unsafe rows[index] = start
        unsafe start += inside.step
      }
    } else {
      for index in 0..<2 * Self.batch {
        let start = unsafe pass.sourceRow(pair: nextPair, index)
        unsafe rows[index] =
          pass.isNarrow ? copy.copyRow(start, count: pass.sourceWidth, to: index) : start
      }
    }
    unsafe rows.span.withUnsafeBufferPointer { rows in
      unsafe kernels.table.horizontal(
        pass.horizontal, ring.horizontal(slot: nextSlot), rows.baseAddress, Self.batch,
        pass.columns.lowerBound, pass.columns.upperBound)
    }
    nextPair += Self.batch
    nextSlot += Self.batch
    if nextSlot >= pass.ringPairs { nextSlot -= pass.ringPairs }
  }
}
