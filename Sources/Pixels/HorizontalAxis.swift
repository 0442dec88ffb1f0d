internal import CPixelKernels

/// The weights of the horizontal pass, as the kernels of one level read them.
@safe final class HorizontalAxis: @unchecked Sendable {
  /// What the kernels read; it lives as long as this object.
  let plan: UnsafeMutablePointer<tpk_horizontal>
  /// The samples that the kernels may read of every source row.
  let readable: Int
  /// See ``Swift/Array/commonUnit(limit:)``.
  let unit: Int?
  /// See ``Swift/Array/copiedFrom``.
  let copiedFrom: Int?
  private let left: UnsafeMutablePointer<Int32>
  private let weights: UnsafeMutablePointer<Int8>
  private let packed: UnsafeMutableRawPointer

  /// The axis of these weights.
  init(_ mapping: AxisMapping, _ results: [TapWeights], kernels: Kernels) {
    let taps = Self.taps(results)
    let source = max(mapping.sourceCount, taps + Int(TPK_WINDOW))
    let left = UnsafeMutablePointer<Int32>.allocate(capacity: mapping.count)
    let weights = UnsafeMutablePointer<Int8>.allocate(capacity: mapping.count * taps)
    unsafe weights.initialize(repeating: 0, count: mapping.count * taps)
    for (index, weighed) in results.enumerated() {
      let start = min(weighed.first, source - taps)
      unsafe left[index] = Int32(start)
      let result = unsafe UnsafeMutableBufferPointer(start: weights + index * taps, count: taps)
      unsafe Self.place(weighed.weights, at: weighed.first - start, in: result)
    }
    var plan = unsafe tpk_horizontal(
      source: Int32(source), count: Int32(mapping.count), taps: Int32(taps), left: left,
      weights: weights, packed: nil)
    let bytes = unsafe kernels.table.packed_size(&plan)
    let packed = UnsafeMutableRawPointer.allocate(byteCount: max(bytes, 64), alignment: 64)
    unsafe kernels.table.pack(&plan, packed)
    unsafe plan.packed = UnsafeRawPointer(packed)
    unsafe self.plan = .allocate(capacity: 1)
    unsafe self.plan.initialize(to: plan)
    self.readable = source
    self.unit = results.commonUnit(limit: Self.one)
    self.copiedFrom = results.copiedFrom
    unsafe self.left = left
    unsafe self.weights = weights
    unsafe self.packed = packed
  }

  deinit {
    unsafe plan.deallocate()
    unsafe left.deallocate()
    unsafe weights.deallocate()
    unsafe packed.deallocate()
  }

  private static let one = Int(TPK_HORIZONTAL_ONE)

  /// The weights of every result, for the source as stored.
  ///
  /// Where results lie more than two samples apart, filters give up what weighs less than a
  /// hundredth at their ends, if that spares a group of four samples.
  static func weights(_ mapping: AxisMapping, filter: ResampleFilter) -> [TapWeights] {
    let whole = weights(mapping, filter: filter, least: 0)
    guard mapping.step > 2 else { return whole }
    let shortened = weights(mapping, filter: filter, least: 0.01)
    return taps(shortened) < taps(whole) ? shortened : whole
  }

  private static func weights(
    _ mapping: AxisMapping, filter: ResampleFilter, least: Double
  ) -> [TapWeights] {
    var axis = AxisWeights()
    return (0..<mapping.count).map { index in
      axis.compute(
        center: mapping.origin + mapping.step * Double(index), step: mapping.step, filter: filter,
        sourceCount: mapping.sourceCount, one: one, least: least)
      let weights = bounded(axis.values)
      guard mapping.mirrored else { return TapWeights(first: axis.first, weights: weights) }
      return TapWeights(
        first: mapping.sourceCount - axis.first - weights.count, weights: weights.reversed())
    }
  }

  /// The weights that every result has room for: a multiple of 4.
  private static func taps(_ results: [TapWeights]) -> Int {
    ((results.lazy.map(\.weights.count).max() ?? 1) + 3) & ~3
  }

  /// The weights, changed as little as the kernels' arithmetic demands: weights j and j + 2 add up
  /// to at most 1, which also bounds every single one.
  ///
  /// What is too much moves to the neighbour between the two, or to the only one there is at an
  /// edge. Filters exceed the bound by a few hundredths, where they extrapolate.
  private static func bounded(_ weights: [Int]) -> [Int] {
    var values = weights
    for index in weights.indices {
      for other in [index - 2, index + 2] {
        let partner = weights.indices.contains(other) ? values[other] : 0
        let excess = values[index] + partner - one
        guard excess > 0, values[index] >= partner else { continue }
        let middle = (index + other) / 2
        let receiver = weights.indices.contains(middle) ? middle : 2 * index - middle
        values[index] -= excess
        values[receiver] += excess
      }
    }
    return values
  }

  /// Writes negated weights from `offset` on.
  private static func place(
    _ weights: [Int], at offset: Int, in result: UnsafeMutableBufferPointer<Int8>
  ) {
    let negative = weights.lazy.filter { $0 < 0 }.reduce(0) { $0 + $1 }
    precondition(negative >= -one / 2, "the filter's negative lobes are too deep")
    for (index, value) in weights.enumerated() { unsafe result[offset + index] = Int8(-value) }
  }
}
