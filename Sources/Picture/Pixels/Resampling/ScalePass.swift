internal import CTesseraPixelKernels

/// The state of one plane being scaled. The plan and the plane must outlive it.
@safe struct ScalePass {
  private let constants: UnsafePointer<ScaleParameters>
  /// The columns of the result to compute.
  let columns: Range<Int>
  /// The number of samples in a source row.
  let sourceWidth: Int
  /// The first source row in the vertical axis's reading direction.
  let firstRow: UnsafePointer<UInt8>
  /// The distance between source rows in bytes in reading direction; negative if the axis is
  /// mirrored.
  let stride: Int

  init(_ plan: PlaneScalePlan, source: Plane, columns: Range<Int>) {
    unsafe self.constants = UnsafePointer(plan.constants)
    self.columns = columns
    self.sourceWidth = source.size.width
    let mirrored = unsafe constants.pointee.mirrored
    unsafe self.firstRow = source.base + (mirrored ? (source.size.height - 1) * source.stride : 0)
    self.stride = mirrored ? -source.stride : source.stride
  }

  /// The values of the plan.
  var plan: ScaleParameters { unsafe constants.pointee }

  /// True if source rows are shorter than the kernels may read.
  var isNarrow: Bool { sourceWidth < plan.readable }

  /// Returns the source row `index`, counted from the first row of `pair`, clamped to existing
  /// rows.
  @unsafe func sourceRow(pair: Int, _ index: Int) -> UnsafePointer<UInt8> {
    let row = 2 * pair - plan.parity + index
    return unsafe firstRow + min(max(0, row), plan.sourceCount - 1) * stride
  }

  /// Returns the number of pairs from `pair` on that go through the horizontal pass in one call.
  func pairs(from pair: Int) -> Int { min(plan.batch, plan.pairCount - pair) }

  /// Returns the next source rows at a constant stride, and their number of pairs. At an edge, a
  /// single pair consists of one existing row twice.
  @unsafe func sourceRows(
    pair: Int
  ) -> (first: UnsafePointer<UInt8>, stride: Int, pairs: Int) {
    let (row, count) = (2 * pair - plan.parity, plan.sourceCount)
    guard row >= 0, row + 1 < count else { return unsafe (sourceRow(pair: pair, 0), 0, 1) }
    return unsafe (firstRow + row * stride, stride, min(pairs(from: pair), (count - row) / 2))
  }
}
