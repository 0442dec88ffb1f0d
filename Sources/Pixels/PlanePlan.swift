/// How one plane is scaled, in coded directions: mirroring included, a transposition not.
public struct PlanePlan: Sendable {
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
  /// The quickest way there is; `.passes` is always right.
  var method: Method
  /// The size of the source plane.
  let source: PixelSize
  /// The size of the result.
  public let size: PixelSize

  init(columns: AxisMapping, rows: AxisMapping, filter: ResampleFilter, kernels: Kernels) {
    let columnWeights = HorizontalAxis.weights(columns, filter: filter)
    let rowWeights = VerticalAxis.weights(rows, filter: filter)
    self.columns = HorizontalAxis(columns, columnWeights, kernels: kernels)
    self.rows = VerticalAxis(rows, rowWeights, batch: Self.batch(width: columns.count))
    self.source = PixelSize(width: columns.sourceCount, height: rows.sourceCount)
    self.size = PixelSize(width: columns.count, height: rows.count)
    if let column = Self.start(columnWeights), let row = Self.start(rowWeights) {
      self.method = .copy(column: column, row: row)
    } else if self.columns.readable <= columns.sourceCount,
      let plan = DirectPlan(
        self.columns, columnWeights, rows: rowWeights, sourceRows: rows.sourceCount)
    {
      self.method = .direct(plan)
    } else {
      self.method = .passes
    }
  }

  /// The pairs of source rows that go through the horizontal pass at a time: more where rows are
  /// short, because a call costs as much for those, and the ring stays in the first cache.
  private static func batch(width: Int) -> Int { width > 192 ? 4 : width > 104 ? 8 : 16 }

  /// The first of the samples that the results are, one after the other; nil where they are not.
  private static func start(_ results: [TapWeights]) -> Int? {
    guard let start = results.first?.first else { return nil }
    let copies = results.enumerated().allSatisfy { index, result in
      result.weights.count == 1 && result.first == start + index
    }
    return copies ? start : nil
  }
}
