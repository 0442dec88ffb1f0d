internal import CPixelKernels

/// What scaling one plane reads, gathered once: nothing in it counts references.
///
/// It points into a plan and a plane and must not outlive them.
@safe struct ScalePass {
  /// The columns of the result that are made.
  let columns: Range<Int>
  /// The number of rows of the result.
  let rowCount: Int
  /// What the rows of the result are made from.
  let rows: UnsafePointer<tpk_vertical_row>
  /// The pairs of source rows that have to be there for them.
  let needs: UnsafePointer<VerticalAxis.Need>
  /// The slots of the ring of row pairs.
  let ringPairs: Int
  /// The horizontal weights.
  let horizontal: UnsafePointer<tpk_horizontal>
  /// The samples in a source row.
  let sourceWidth: Int
  /// Whether source rows are shorter than the kernels read.
  let isNarrow: Bool
  /// The side of the square of source samples that a result is the mean of: 1 (a copy), 2 or 4;
  /// or 0, where results are something else.
  let meanSide: Int
  private let source: UnsafePointer<UInt8>
  private let stride: Int
  private let sourceRows: Int
  private let mirrored: Bool
  private let parity: Int
  private let meanOrigin: (column: Int, row: Int)

  init(_ plan: PlanePlan, source: Plane, columns: Range<Int>) {
    self.columns = columns
    self.rowCount = plan.size.height
    unsafe self.rows = UnsafePointer(plan.rows.rows)
    self.ringPairs = plan.rows.ringPairs
    unsafe self.needs = UnsafePointer(plan.rows.needs)
    unsafe self.horizontal = UnsafePointer(plan.columns.plan)
    self.sourceWidth = source.size.width
    self.isNarrow = source.size.width < plan.columns.readable
    self.meanSide = Self.meanSide(plan)
    unsafe self.source = source.base
    self.stride = source.stride
    self.sourceRows = plan.rows.sourceCount
    self.mirrored = plan.rows.mirrored
    self.parity = plan.rows.parity
    self.meanOrigin = (plan.columns.means?.start ?? 0, plan.rows.means?.start ?? 0)
  }

  /// Row `index` counted from the first one of `pair`; the nearest row where there is none.
  @unsafe func sourceRow(pair: Int, _ index: Int) -> UnsafePointer<UInt8> {
    unsafe storedRow(2 * pair - parity + index)
  }

  /// The first of the rows of so many halves of pairs and the distance of two, where the source
  /// has them all as the kernels read them.
  @unsafe func consecutiveRows(
    pair: Int, count: Int
  ) -> (first: UnsafePointer<UInt8>, step: Int)? {
    let first = 2 * pair - parity
    guard !isNarrow, first >= 0, first + count <= sourceRows else { return nil }
    return unsafe (storedRow(first), mirrored ? -stride : stride)
  }

  /// Row `index` of those that row `y` of the result is the mean of, from the first column on.
  @unsafe func meanRow(_ y: Int, _ index: Int) -> UnsafePointer<UInt8> {
    unsafe storedRow(meanOrigin.row + meanSide * y + index)
      + (meanOrigin.column + meanSide * columns.lowerBound)
  }

  /// The row in memory that stands for row `index` as the vertical axis counts them.
  @unsafe private func storedRow(_ index: Int) -> UnsafePointer<UInt8> {
    let row = min(max(0, index), sourceRows - 1)
    return unsafe source + (mirrored ? sourceRows - 1 - row : row) * stride
  }

  private static func meanSide(_ plan: PlanePlan) -> Int {
    guard let columns = plan.columns.means, let rows = plan.rows.means,
      columns.length == rows.length, [1, 2, 4].contains(rows.length)
    else { return 0 }
    return rows.length
  }
}
