internal import CTesseraPixelKernels

/// A plane that is being scaled. It must not outlive its plan and the plane.
@safe struct ScalePass {
  private let constants: UnsafePointer<ScaleConstants>
  /// The columns of the result that are made.
  let columns: Range<Int>
  /// The samples in a source row.
  let sourceWidth: Int
  /// The first source row as the vertical axis counts them.
  let firstRow: UnsafePointer<UInt8>
  /// From one source row to the next, as the vertical axis counts them.
  let stride: Int

  init(_ plan: PlanePlan, source: Plane, columns: Range<Int>) {
    unsafe self.constants = UnsafePointer(plan.constants)
    self.columns = columns
    self.sourceWidth = source.size.width
    let mirrored = unsafe constants.pointee.mirrored
    unsafe self.firstRow = source.base + (mirrored ? (source.size.height - 1) * source.stride : 0)
    self.stride = mirrored ? -source.stride : source.stride
  }

  /// What the plan says.
  var plan: ScaleConstants { unsafe constants.pointee }

  /// Whether source rows are shorter than the kernels read.
  var isNarrow: Bool { sourceWidth < plan.readable }

  /// The row that stands for row `index`, counted from the first one of `pair`: the nearest one
  /// where there is none.
  @unsafe func sourceRow(pair: Int, _ index: Int) -> UnsafePointer<UInt8> {
    let row = 2 * pair - plan.parity + index
    return unsafe firstRow + min(max(0, row), plan.sourceCount - 1) * stride
  }

  /// How many of the pairs from `pair` on go through the horizontal pass together.
  func pairs(from pair: Int) -> Int { min(plan.batch, plan.pairCount - pair) }

  /// The source rows of these pairs that lie the same distance apart, and how many pairs that are.
  /// Where rows are missing, a row that stands for them is its own neighbor.
  @unsafe func sourceRows(
    pair: Int
  ) -> (first: UnsafePointer<UInt8>, stride: Int, pairs: Int) {
    let (row, count) = (2 * pair - plan.parity, plan.sourceCount)
    guard row >= 0, row + 1 < count else { return unsafe (sourceRow(pair: pair, 0), 0, 1) }
    return unsafe (firstRow + row * stride, stride, min(pairs(from: pair), (count - row) / 2))
  }
}
