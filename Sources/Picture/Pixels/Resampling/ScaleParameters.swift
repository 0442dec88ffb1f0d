internal import CTesseraPixelKernels

/// The values of a plan that scaling reads, gathered in one place without reference counting.
///
/// The pointers point into the plan's axes, which must outlive this value.
@safe struct ScaleParameters {
  /// The number of rows of the result.
  let rowCount: Int
  /// The weights and ring slot of each result row.
  let rows: UnsafePointer<tpk_vertical_row>
  /// See ``VerticalWeights/oldestPairs``.
  let oldestPairs: UnsafePointer<Int32>
  /// See ``VerticalWeights/readyRows``.
  let readyRows: UnsafePointer<Int32>
  /// The number of slots in the ring of row pairs.
  let ringPairs: Int
  /// The largest number of pairs per call of the horizontal pass.
  let batch: Int
  /// The weights of the horizontal pass.
  let horizontal: UnsafePointer<tpk_horizontal>
  /// The number of samples that the kernels may read of every source row.
  let readable: Int
  /// The algorithm: two passes, or at equal size a copy.
  let method: PlaneScalePlan.Method
  /// The number of source rows.
  let sourceCount: Int
  /// True if the vertical axis reads source rows from the last in memory to the first.
  let mirrored: Bool
  /// See ``VerticalWeights/pairCount``.
  let pairCount: Int
  /// See ``VerticalWeights/parity``.
  let parity: Int

  init(
    _ columns: HorizontalWeights, _ rows: VerticalWeights, rowCount: Int,
    method: PlaneScalePlan.Method
  ) {
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
