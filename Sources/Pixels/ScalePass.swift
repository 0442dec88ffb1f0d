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
  private let sourceRows: Int
  private let mirrored: Bool
  private let parity: Int

  init(_ plan: PlanePlan, source: Plane, columns: Range<Int>) {
    self.columns = columns
    self.rowCount = plan.size.height
    unsafe self.rows = UnsafePointer(plan.rows.rows)
    self.ringPairs = plan.rows.ringPairs
    unsafe self.needs = UnsafePointer(plan.rows.needs)
    unsafe self.horizontal = UnsafePointer(plan.columns.plan)
    self.sourceWidth = source.size.width
    self.isNarrow = source.size.width < plan.columns.readable
    self.method = Method(plan.method)
    unsafe self.source = source.base
    self.stride = source.stride
    self.sourceRows = plan.rows.sourceCount
    self.mirrored = plan.rows.mirrored
    self.parity = plan.rows.parity
  }

  /// Row `index` counted from the first one of `pair`; the nearest row where there is none.
  @unsafe func sourceRow(pair: Int, _ index: Int) -> UnsafePointer<UInt8> {
    unsafe storedRow(2 * pair - parity + index)
  }

  /// The first of the rows of so many halves of pairs and the distance of two, where the source
  /// has them all as the kernels read them.
  @unsafe func consecutiveRows(
    pair: Int, count: Int
  ) -> (first: UnsafePointer<UInt8>, step: Int)? {
    let first = 2 * pair - parity
    guard !isNarrow, first >= 0, first + count <= sourceRows else { return nil }
    return unsafe (storedRow(first), mirrored ? -stride : stride)
  }

  /// The first row of the source as the vertical axis counts them, and the distance of two.
  @unsafe var allRows: (first: UnsafePointer<UInt8>, stride: Int) {
    unsafe (storedRow(0), mirrored ? -stride : stride)
  }

  /// The row in memory that stands for row `index` as the vertical axis counts them.
  @unsafe private func storedRow(_ index: Int) -> UnsafePointer<UInt8> {
    let row = min(max(0, index), sourceRows - 1)
    return unsafe source + (mirrored ? sourceRows - 1 - row : row) * stride
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
