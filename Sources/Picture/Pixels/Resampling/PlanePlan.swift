/// How one plane is scaled, in coded directions: mirroring included, a transposition not.
@safe package final class PlanePlan: @unchecked Sendable {
  /// How results are made. Both ways make the same bytes.
  enum Method: Sendable {
    /// By the horizontal and the vertical pass.
    case passes
    /// Result (0, 0) is the source sample of this column and row, and the others follow it.
    case copy(column: Int, row: Int)
  }

  let columns: HorizontalAxis
  let rows: VerticalAxis
  /// The quickest way there is.
  let method: Method
  /// The size of the source plane.
  let source: PixelSize
  /// The size of the result.
  package let size: PixelSize
  /// What scaling reads of all this; it lives as long as this object.
  let constants: UnsafeMutablePointer<ScaleConstants>

  /// The plan of these mappings; `planner` knows their axes.
  convenience init(
    columns: AxisMapping, rows: AxisMapping, filter: ResampleFilter,
    planner: inout ResamplePlanner
  ) {
    let columnAxis = planner.horizontal(columns, filter)
    let rowAxis = planner.vertical(rows, filter, batch: Self.batch(width: columns.count))
    let method: Method
    if let column = columnAxis.copiedFrom, let row = rowAxis.copiedFrom {
      method = .copy(column: column, row: row)
    } else {
      method = .passes
    }
    self.init(
      columnAxis, rowAxis, method,
      source: PixelSize(width: columns.sourceCount, height: rows.sourceCount),
      size: PixelSize(width: columns.count, height: rows.count))
  }

  private init(
    _ columns: HorizontalAxis, _ rows: VerticalAxis, _ method: Method, source: PixelSize,
    size: PixelSize
  ) {
    self.columns = columns
    self.rows = rows
    self.method = method
    self.source = source
    self.size = size
    unsafe constants = .allocate(capacity: 1)
    unsafe constants.initialize(
      to: ScaleConstants(columns, rows, rowCount: size.height, method: method))
  }

  deinit {
    unsafe constants.deallocate()
  }

  /// The pairs of source rows that go through the horizontal pass at a time: more where rows are
  /// short, because a call costs as much for those, and the ring stays in the first cache.
  private static func batch(width: Int) -> Int { width > 192 ? 4 : width > 104 ? 8 : 16 }
}
