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
  let method: Method
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
    self.method = Method(method)
    self.sourceCount = rows.sourceCount
    self.mirrored = rows.mirrored
    self.pairCount = rows.pairCount
    self.parity = rows.parity
  }

  /// ``PlanePlan/Method`` by what its plan points at.
  @safe enum Method {
    case passes
    case direct(UnsafePointer<tpk_direct>)
    case box(UnsafePointer<tpk_box>)
    case thirds(UnsafePointer<tpk_thirds>)
    case copy(column: Int, row: Int)

    init(_ method: PlanePlan.Method) {
      switch method {
      case .passes: self = .passes
      case .direct(let plan): self = unsafe .direct(UnsafePointer(plan.plan))
      case .box(let plan): self = unsafe .box(UnsafePointer(plan.plan))
      case .thirds(let plan): self = unsafe .thirds(UnsafePointer(plan.plan))
      case .copy(let column, let row): self = .copy(column: column, row: row)
      }
    }
  }
}
