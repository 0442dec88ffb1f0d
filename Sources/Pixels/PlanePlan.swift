/// How one plane is scaled, in coded directions: mirroring included, a transposition not.
public final class PlanePlan: Sendable {
  /// How results are made. All ways make the same bytes.
  enum Method: Sendable {
    /// By the horizontal and the vertical pass.
    case passes
    /// Both passes in one step.
    case direct(DirectPlan)
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
  public let size: PixelSize

  /// The plan of these mappings; `planner` knows their axes.
  init(
    columns: AxisMapping, rows: AxisMapping, filter: ResampleFilter,
    planner: inout ResamplePlanner
  ) {
    self.columns = planner.horizontal(columns, filter)
    self.rows = planner.vertical(rows, filter, batch: Self.batch(width: columns.count))
    self.source = PixelSize(width: columns.sourceCount, height: rows.sourceCount)
    self.size = PixelSize(width: columns.count, height: rows.count)
    if let column = self.columns.copiedFrom, let row = self.rows.copiedFrom {
      self.method = .copy(column: column, row: row)
    } else if let plan = DirectPlan(self.columns, columns, self.rows, rows, filter: filter) {
      self.method = .direct(plan)
    } else {
      self.method = .passes
    }
  }

  /// The plan that makes the same by the two passes.
  init(byPasses other: PlanePlan) {
    self.columns = other.columns
    self.rows = other.rows
    self.method = .passes
    self.source = other.source
    self.size = other.size
  }

  /// The pairs of source rows that go through the horizontal pass at a time: more where rows are
  /// short, because a call costs as much for those, and the ring stays in the first cache.
  private static func batch(width: Int) -> Int { width > 192 ? 4 : width > 104 ? 8 : 16 }
}
