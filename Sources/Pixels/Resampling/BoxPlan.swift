internal import CTesseraPixelKernels

/// Means of blocks in one step: `area` where a whole number of source samples makes a result along
/// both axes, all results by the same weights.
///
/// Weights are whole numbers, so that luma is the mean, rounded half-up; chroma, whose blocks may
/// begin within a sample, is at most 1/100 farther from it than half a unit. Two passes, whose
/// weights are of 7 bits, make up to 3 more or less where neighboring samples differ strongly.
@safe final class BoxPlan: @unchecked Sendable {
  /// What the kernels read; it lives as long as this object.
  let plan: UnsafeMutablePointer<tpk_box>

  /// The plan of these mappings; nil where blocks are not whole, or too small to be worth it.
  init?(_ columns: AxisMapping, _ rows: AxisMapping, filter: ResampleFilter) {
    guard filter == .area, !columns.mirrored, columns.sourceCount >= Self.leastWidth,
      let across = AreaSpan(columns), let down = AreaSpan(rows),
      let ratio = Self.ratio(of: across, in: Self.ratios),
      let rowRatio = Self.ratio(of: down, in: Self.rowRatios),
      across.fraction.isMultiple(of: 2), down.fraction == 0
    else { return nil }
    var box = tpk_box()
    box.ratio = Int32(ratio)
    box.first = Int32(across.first)
    let weights = across.weights(
      results: 1, samples: across.fraction == 0 ? ratio : ratio + 1
    )[0]
    box.taps = Int32(weights.count)
    unsafe withUnsafeMutableBytes(of: &box.weights) { unsafe $0.copyBytes(from: weights) }
    box.row_ratio = Int32(rowRatio)
    box.first_row = Int32(down.first)
    box.source = Int32(columns.sourceCount)
    box.source_rows = Int32(rows.sourceCount)
    let total = weights.reduce(0) { $0 + Int($1) } * rowRatio
    (box.multiplier, box.shift) = Self.reciprocal(total)
    unsafe tpk_box_prepare(&box)
    unsafe plan = .allocate(capacity: 1)
    unsafe plan.initialize(to: box)
  }

  deinit {
    unsafe plan.deallocate()
  }

  /// How many samples make a result, if that is a whole number among `ratios`.
  private static func ratio(of span: AreaSpan, in ratios: ClosedRange<Int>) -> Int? {
    span.step.isMultiple(of: 8) && ratios.contains(span.step / 8) ? span.step / 8 : nil
  }

  private static let ratios = Int(TPK_BOX_LEAST)...Int(TPK_BOX_MOST)
  private static let rowRatios = 1...Int(TPK_BOX_MOST)
  /// Narrower sources are all edges.
  private static let leastWidth = Int(TPK_BOX_WINDOW)

  /// 1 / `total`, or slightly more, so that halves are rounded up: a multiplier of at most 15 bits
  /// and the bits that its products are shifted by.
  static func reciprocal(_ total: Int) -> (multiplier: Int32, shift: Int32) {
    var shift = 14
    while (2 << shift) / total < Int(Int16.max) { shift += 1 }
    return (Int32(((1 << shift) + total - 1) / total), Int32(shift))
  }
}
