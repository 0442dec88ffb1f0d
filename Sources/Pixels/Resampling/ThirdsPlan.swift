internal import CTesseraPixelKernels

/// Means in one step where every three source samples make one or two results along both axes:
/// `area` at 3:1 and at 3:2, all groups by the same weights.
///
/// Weights are whole numbers, so results are the means, rounded half-up. Two passes, whose weights
/// are of 7 bits, make up to 2 more or less where neighboring samples differ strongly.
@safe final class ThirdsPlan: @unchecked Sendable {
  /// What the kernels read; it lives as long as this object.
  let plan: UnsafeMutablePointer<tpk_thirds>

  /// The plan of these mappings; nil where samples do not make such groups, or rows are so short
  /// that they are all edges.
  init?(_ columns: AxisMapping, _ rows: AxisMapping, filter: ResampleFilter) {
    guard filter == .area, !columns.mirrored, columns.sourceCount >= Self.leastWidth,
      let across = Groups(columns), let down = Groups(rows),
      across.total * down.total <= Int(TPK_THIRDS_MOST)
    else { return nil }
    let total = across.total * down.total
    var thirds = tpk_thirds()
    thirds.columns = across.axis(trimmed: false)
    thirds.rows = down.axis(trimmed: true)
    thirds.half = UInt32(total / 2)
    (thirds.multiplier, thirds.shift) = Self.reciprocal(total)
    unsafe plan = .allocate(capacity: 1)
    unsafe plan.initialize(to: thirds)
  }

  deinit {
    unsafe plan.deallocate()
  }

  private static let leastWidth = 64

  /// 1 / `total`, or slightly more: a multiplier of at most 16 bits and the bits, 16 at least, that
  /// its products are shifted by. Exact for all totals that such weights have: 9, 18, 36, 72, 144.
  static func reciprocal(_ total: Int) -> (multiplier: UInt32, shift: Int32) {
    var shift = 16
    while (2 << shift + total - 1) / total <= Int(UInt16.max) { shift += 1 }
    return (UInt32((1 << shift + total - 1) / total), Int32(shift))
  }

  /// The results of three samples along one axis.
  private struct Groups {
    let sourceCount: Int
    let first: Int
    /// What the four samples from the first one on weigh in each result.
    let weights: [[UInt8]]

    init?(_ mapping: AxisMapping) {
      guard let span = AreaSpan(mapping), span.step == 12 || span.step == 24 else { return nil }
      sourceCount = mapping.sourceCount
      first = span.first
      weights = span.weights(results: 24 / span.step, samples: Int(TPK_THIRDS_TAPS))
    }

    /// What a result's samples weigh together.
    var total: Int { weights[0].reduce(0) { $0 + Int($1) } }

    /// This axis for the kernels: either all results are made of the same samples, or each from
    /// the first one that weighs something.
    func axis(trimmed: Bool) -> tpk_thirds_axis {
      let offsets = weights.map { trimmed ? $0.prefix { $0 == 0 }.count : 0 }
      let moved = zip(weights, offsets).map { Array($0.dropFirst($1)) }
      let reaches = moved.map { $0.lastIndex { $0 > 0 }.map { $0 + 1 } ?? 0 }
      var axis = tpk_thirds_axis()
      axis.source = Int32(sourceCount)
      axis.first = Int32(first)
      axis.phases = Int32(weights.count)
      axis.taps = Int32(max(2, reaches.max() ?? 0))
      unsafe withUnsafeMutableBytes(of: &axis.offset) { target in
        let offsets = offsets.map(Int32.init)
        unsafe offsets.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
      }
      unsafe withUnsafeMutableBytes(of: &axis.weights) { target in
        for (phase, weights) in moved.enumerated() {
          for (tap, weight) in weights.enumerated() {
            unsafe target[phase * Int(TPK_THIRDS_TAPS) + tap] = weight
          }
        }
      }
      return axis
    }
  }
}
