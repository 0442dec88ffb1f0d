internal import CTesseraPixelKernels

/// What scaling reads of a plan, gathered once: nothing in it counts references.
///
/// It points into the plan's axes and must not outlive them.
@safe struct ScaleConstants {
  /// The number of rows of the result.
  let rowCount: Int
  /// What the rows of the result are made from.
  let rows: UnsafePointer<tpk_vertical_row>
  /// See ``VerticalAxis/oldestPairs``.
  let oldestPairs: UnsafePointer<Int32>
  /// See ``VerticalAxis/readyRows``.
  let readyRows: UnsafePointer<Int32>
  /// The slots of the ring of row pairs.
  let ringPairs: Int
  /// The pairs that the horizontal pass makes at a time, at most.
  let batch: Int
  /// The horizontal weights.
  let horizontal: UnsafePointer<tpk_horizontal>
  /// The samples that the kernels may read of every source row.
  let readable: Int
  /// How results are made.
  let method: PlanePlan.Method
  /// The number of source rows.
  let sourceCount: Int
  /// Whether the first source row, as the vertical axis counts them, is the last one in memory.
  let mirrored: Bool
  /// See ``VerticalAxis/pairCount``.
  let pairCount: Int
  /// See ``VerticalAxis/parity``.
  let parity: Int

  init(_ columns: HorizontalAxis, _ rows: VerticalAxis, rowCount: Int, method: PlanePlan.Method) {
    self.rowCount = rowCount
    unsafe self.rows = UnsafePointer(rows.rows)
    unsafe self.oldestPairs = UnsafePointer(rows.oldestPairs)
    unsafe self.readyRows = UnsafePointer(rows.readyRows)
    self.ringPairs = rows.ringPairs
    self.batch = rows.batch
    unsafe self.horizontal = UnsafePointer(columns.plan)
    self.readable = columns.readable
    self.method = method
    self.sourceCount = rows.sourceCount
    self.mirrored = rows.mirrored
    self.pairCount = rows.pairCount
    self.parity = rows.parity
  }
}
