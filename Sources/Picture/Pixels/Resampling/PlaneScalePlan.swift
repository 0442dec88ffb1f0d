/// The plan for scaling one plane, in coded directions: mirroring is included, a transposition is
/// not.
@safe package final class PlaneScalePlan: @unchecked Sendable {
  /// The algorithm that computes results. Both write the same bytes.
  enum Method: Sendable {
    /// The horizontal pass, then the vertical pass.
    case passes
    /// A copy: result (0, 0) is the source sample at `column` and `row`, and the others follow it.
    case copy(column: Int, row: Int)
  }

  let columns: HorizontalWeights
  let rows: VerticalWeights
  /// The fastest possible algorithm.
  let method: Method
  /// The size of the source plane.
  let source: PixelSize
  /// The size of the result.
  package let size: PixelSize
  /// The values that scaling reads, gathered from the axes; valid while this object lives.
  let constants: UnsafeMutablePointer<ScaleParameters>

  /// Creates the plan of two mappings. Axes are shared through `planner`.
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
    _ columns: HorizontalWeights, _ rows: VerticalWeights, _ method: Method, source: PixelSize,
    size: PixelSize
  ) {
    self.columns = columns
    self.rows = rows
    self.method = method
    self.source = source
    self.size = size
    unsafe constants = .allocate(capacity: 1)
    unsafe constants.initialize(
      to: ScaleParameters(columns, rows, rowCount: size.height, method: method))
  }

  deinit {
    unsafe constants.deallocate()
  }

  /// Returns the number of source row pairs per call of the horizontal pass. Short rows have more,
  /// because a call costs as much for them and the ring still stays in the L1 cache.
  private static func batch(width: Int) -> Int { width > 192 ? 4 : width > 104 ? 8 : 16 }
}
