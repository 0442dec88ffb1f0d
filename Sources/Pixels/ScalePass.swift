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
  /// The samples in a source row.
  let sourceWidth: Int
  /// Whether source rows are shorter than the kernels read.
  let isNarrow: Bool
  /// How results are made.
  let method: Method
  /// The first source row as the vertical axis counts them.
  let firstRow: UnsafePointer<UInt8>
  /// From one source row to the next, as the vertical axis counts them.
  let stride: Int
  private let sourceCount: Int
  private let pairCount: Int
  private let parity: Int

  init(_ plan: PlanePlan, source: Plane, columns: Range<Int>) {
    self.columns = columns
    self.rowCount = plan.size.height
    unsafe self.rows = UnsafePointer(plan.rows.rows)
    self.ringPairs = plan.rows.ringPairs
    self.batch = plan.rows.batch
    unsafe self.oldestPairs = UnsafePointer(plan.rows.oldestPairs)
    unsafe self.readyRows = UnsafePointer(plan.rows.readyRows)
    unsafe self.horizontal = UnsafePointer(plan.columns.plan)
    self.sourceWidth = source.size.width
    self.isNarrow = source.size.width < plan.columns.readable
    self.method = Method(plan.method)
    let mirrored = plan.rows.mirrored
    unsafe self.firstRow =
      source.base + (mirrored ? (plan.rows.sourceCount - 1) * source.stride : 0)
    self.stride = mirrored ? -source.stride : source.stride
    self.sourceCount = plan.rows.sourceCount
    self.pairCount = plan.rows.pairCount
    self.parity = plan.rows.parity
  }

  /// The row that stands for row `index`, counted from the first one of `pair`: the nearest one
  /// where there is none.
  @unsafe func sourceRow(pair: Int, _ index: Int) -> UnsafePointer<UInt8> {
    let row = 2 * pair - parity + index
    return unsafe firstRow + min(max(0, row), sourceCount - 1) * stride
  }

  /// How many of the pairs from `pair` on go through the horizontal pass together.
  func pairs(from pair: Int) -> Int { min(batch, pairCount - pair) }

  /// The source rows of these pairs that lie the same distance apart, and how many pairs that are.
  /// Where rows are missing, a row that stands for them is its own neighbour.
  @unsafe func sourceRows(
    pair: Int
  ) -> (first: UnsafePointer<UInt8>, stride: Int, pairs: Int) {
    let row = 2 * pair - parity
    guard row >= 0, row + 1 < sourceCount else { return unsafe (sourceRow(pair: pair, 0), 0, 1) }
    return unsafe (firstRow + row * stride, stride, min(pairs(from: pair), (sourceCount - row) / 2))
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
