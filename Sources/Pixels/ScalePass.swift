internal import CPixelKernels

/// What scaling one plane reads, gathered once: nothing in it counts references.
///
/// It points into a plan and a plane and must not outlive them.
@safe struct ScalePass {
  /// The columns of the result that are made.
  let columns: Range<Int>
  /// The number of rows of the result.
  let rowCount: Int
  /// What every row of the result is made from.
  let rows: UnsafePointer<VerticalAxis.Row>
  /// The slots of the ring of row pairs.
  let ringPairs: Int
  /// The weights that the rows refer to.
  let weights: UnsafePointer<Int16>
  /// The horizontal weights.
  let horizontal: UnsafePointer<tpk_horizontal>
  /// The samples in a source row.
  let sourceWidth: Int
  /// Whether source rows are shorter than the kernels read.
  let isNarrow: Bool
  /// Whether the result repeats source samples one by one.
  let copies: Bool
  private let source: UnsafePointer<UInt8>
  private let stride: Int
  private let sourceRows: Int
  private let mirrored: Bool
  private let parity: Int
  private let copyOrigin: (column: Int, row: Int)

  init(_ plan: PlanePlan, source: Plane, columns: Range<Int>) {
    self.columns = columns
    self.rowCount = plan.size.height
    unsafe self.rows = UnsafePointer(plan.rows.rows)
    self.ringPairs = plan.rows.ringPairs
    unsafe self.weights = UnsafePointer(plan.rows.weights)
    unsafe self.horizontal = UnsafePointer(plan.columns.plan)
    self.sourceWidth = source.size.width
    self.isNarrow = source.size.width < plan.columns.readable
    self.copies = plan.columns.copyStart != nil && plan.rows.copyStart != nil
    unsafe self.source = source.base
    self.stride = source.stride
    self.sourceRows = plan.rows.sourceCount
    self.mirrored = plan.rows.mirrored
    self.parity = plan.rows.parity
    self.copyOrigin = (plan.columns.copyStart ?? 0, plan.rows.copyStart ?? 0)
  }

  /// Row `index` counted from the first one of `pair`; the nearest row where there is none.
  @unsafe func sourceRow(pair: Int, _ index: Int) -> UnsafePointer<UInt8> {
    unsafe storedRow(2 * pair - parity + index)
  }

  /// The samples that row `y` of the result repeats.
  @unsafe func copiedRow(_ y: Int) -> UnsafePointer<UInt8> {
    unsafe storedRow(copyOrigin.row + y) + copyOrigin.column + columns.lowerBound
  }

  /// The row in memory that stands for row `index` as the vertical axis counts them.
  @unsafe private func storedRow(_ index: Int) -> UnsafePointer<UInt8> {
    let row = min(max(0, index), sourceRows - 1)
    return unsafe source + (mirrored ? sourceRows - 1 - row : row) * stride
  }
}
