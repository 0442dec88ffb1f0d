internal import CPixelKernels

/// Means of blocks in one step: `area` where a whole number of source samples makes a result along
/// both axes, all results by the same weights.
///
/// Weights are whole numbers, so that luma is the mean, rounded half-up; chroma, whose blocks may
/// begin within a sample, is at most 1/100 farther from it than half a unit. Two passes, whose
/// weights are of 7 bits, make up to 3 more or less where neighbouring samples differ strongly.
@safe final class BoxPlan: @unchecked Sendable {
  /// What the kernels read; it lives as long as this object.
  let plan: UnsafeMutablePointer<tpk_box>

  /// The plan of these mappings; nil where blocks are not whole, or too small to be worth it.
  init?(_ columns: AxisMapping, _ rows: AxisMapping, filter: ResampleFilter) {
    guard filter == .area, !columns.mirrored, columns.sourceCount >= Self.leastWidth,
      let across = Span(columns), let down = Span(rows),
      Self.ratios.contains(across.ratio), Self.rowRatios.contains(down.ratio), down.fraction == 0
    else { return nil }
    var box = tpk_box()
    box.ratio = Int32(across.ratio)
    box.first = Int32(across.first)
    let weights = across.weights
    box.taps = Int32(weights.count)
    unsafe withUnsafeMutableBytes(of: &box.weights) { unsafe $0.copyBytes(from: weights) }
    box.row_ratio = Int32(down.ratio)
    box.first_row = Int32(down.first)
    box.source = Int32(columns.sourceCount)
    box.source_rows = Int32(rows.sourceCount)
    let total = weights.reduce(0) { $0 + Int($1) } * down.ratio
    (box.multiplier, box.shift) = Self.reciprocal(total)
    unsafe tpk_box_prepare(&box)
    unsafe plan = .allocate(capacity: 1)
    unsafe plan.initialize(to: box)
  }

  deinit {
    unsafe plan.deallocate()
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

  /// Where the samples of results lie along one axis.
  private struct Span {
    /// The source samples of a result.
    var ratio: Int
    /// The first sample of result 0.
    var first: Int
    /// How much of that one does not belong to the result, in quarters; as much as belongs to it of
    /// the sample behind the others.
    var fraction: Int

    init?(_ mapping: AxisMapping) {
      let start = (mapping.origin + 0.5 - mapping.step / 2) * 4
      guard Self.isWhole(mapping.step), Self.isWhole(start) else { return nil }
      ratio = Int(mapping.step.rounded())
      let quarters = Int(start.rounded())
      first = quarters >> 2
      fraction = quarters & 3
    }

    private static func isWhole(_ value: Double) -> Bool {
      abs(value) < 1e6 && abs(value - value.rounded()) < 1e-6
    }

    /// The weights of the samples, in units as coarse as possible.
    var weights: [UInt8] {
      guard fraction > 0 else { return [UInt8](repeating: 1, count: ratio) }
      let unit = fraction == 2 ? 2 : 4
      let end = fraction * unit / 4
      return [UInt8(unit - end)] + [UInt8](repeating: UInt8(unit), count: ratio - 1) + [UInt8(end)]
    }
  }
}
