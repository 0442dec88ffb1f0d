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
  /// The pairs that the horizontal pass makes at a time, at most.
  let batch: Int
  /// The horizontal weights.
  let horizontal: UnsafePointer<tpk_horizontal>
  /// The samples in a source row.
  let sourceWidth: Int
  /// Whether source rows are shorter than the kernels read.
  let isNarrow: Bool
  /// How results are made.
  let method: Method
  private let source: UnsafePointer<UInt8>
  private let stride: Int
  private let sourceCount: Int
  private let mirrored: Bool
  private let parity: Int

  init(_ plan: PlanePlan, source: Plane, columns: Range<Int>) {
    self.columns = columns
    self.rowCount = plan.size.height
    unsafe self.rows = UnsafePointer(plan.rows.rows)
    self.ringPairs = plan.rows.ringPairs
    self.batch = plan.rows.batch
    unsafe self.needs = UnsafePointer(plan.rows.needs)
    unsafe self.horizontal = UnsafePointer(plan.columns.plan)
    self.sourceWidth = source.size.width
    self.isNarrow = source.size.width < plan.columns.readable
    self.method = Method(plan.method)
    unsafe self.source = source.base
    self.stride = source.stride
    self.sourceCount = plan.rows.sourceCount
    self.mirrored = plan.rows.mirrored
    self.parity = plan.rows.parity
  }

  /// The row that stands for row `index`, counted from the first one of `pair`: the nearest one
  /// where there is none.
  @unsafe func sourceRow(pair: Int, _ index: Int) -> UnsafePointer<UInt8> {
    unsafe storedRow(2 * pair - parity + index)
  }

  /// The source rows of pairs from `pair` on that lie the same distance apart, and how many pairs
  /// that are: at most `limit`. Where rows are missing, a row that stands for them is its own
  /// neighbour.
  @unsafe func sourceRows(
    pair: Int, limit: Int
  ) -> (first: UnsafePointer<UInt8>, stride: Int, pairs: Int) {
    let first = 2 * pair - parity
    let step = mirrored ? -stride : stride
    guard first >= 0, first + 1 < sourceCount else { return unsafe (storedRow(first), 0, 1) }
    return unsafe (storedRow(first), step, min(limit, (sourceCount - first) / 2))
  }

  /// The first row of the source as the vertical axis counts them, and the distance of two.
  @unsafe var allRows: (first: UnsafePointer<UInt8>, stride: Int) {
    unsafe (storedRow(0), mirrored ? -stride : stride)
  }

  /// The row in memory that stands for row `index` as the vertical axis counts them.
  @unsafe private func storedRow(_ index: Int) -> UnsafePointer<UInt8> {
    let row = min(max(0, index), sourceCount - 1)
    return unsafe source + (mirrored ? sourceCount - 1 - row : row) * stride
  }

  /// ``PlanePlan/Method`` by what its plan points at.
  @safe enum Method {
    case passes
    case direct(UnsafePointer<tpk_direct>)
    case copy(column: Int, row: Int)

    init(_ method: PlanePlan.Method) {
      switch method {
      case .passes: self = .passes
      case .direct(let plan): self = unsafe .direct(UnsafePointer(plan.plan))
      case .copy(let column, let row): self = .copy(column: column, row: row)
      }
    }
  }
}
