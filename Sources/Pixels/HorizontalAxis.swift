internal import CPixelKernels

/// The weights of the horizontal pass, as the kernels of one level read them.
@safe final class HorizontalAxis: @unchecked Sendable {
  /// What the kernels read; it lives as long as this object.
  let plan: UnsafeMutablePointer<tpk_horizontal>
  /// The samples that the kernels may read of every source row.
  let readable: Int
  /// See ``AxisTaps/commonUnit(limit:)``.
  let unit: Int?
  /// See ``AxisTaps/copiedFrom``.
  let copiedFrom: Int?
  private let left: UnsafeMutablePointer<Int32>
  private let weights: UnsafeMutablePointer<Int8>
  private let packed: UnsafeMutableRawPointer

  /// The axis of these weights.
  init(_ mapping: AxisMapping, _ results: AxisTaps, kernels: Kernels) {
    let taps = Self.rounded(results.longest)
    let source = max(mapping.sourceCount, taps + Int(TPK_WINDOW))
    let left = UnsafeMutablePointer<Int32>.allocate(capacity: mapping.count)
    let weights = UnsafeMutablePointer<Int8>.allocate(capacity: mapping.count * taps)
    unsafe weights.initialize(repeating: 0, count: mapping.count * taps)
    for index in 0..<mapping.count {
      let first = results.firsts[index]
      let start = min(first, source - taps)
      unsafe left[index] = Int32(start)
      let result = unsafe UnsafeMutableBufferPointer(start: weights + index * taps, count: taps)
      unsafe Self.place(results.weights(index), at: first - start, in: result)
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
  static func weights(_ mapping: AxisMapping, filter: ResampleFilter) -> AxisTaps {
    var whole = AxisTaps(capacity: mapping.count)
    var shortened = AxisTaps(capacity: mapping.count)
    var axis = AxisWeights()
    var weights: [Int] = []
    func append(to taps: inout AxisTaps) {
      axis.quantize(one: one)
      weights.removeAll(keepingCapacity: true)
      weights.append(contentsOf: axis.values)
      bound(&weights)
      if mapping.mirrored { weights.reverse() }
      let mirrored = mapping.sourceCount - axis.first - weights.count
      taps.append(first: mapping.mirrored ? mirrored : axis.first, weights[...])
    }
    for index in 0..<mapping.count {
      let center = mapping.origin + mapping.step * Double(index)
      axis.collect(
        center: center, step: mapping.step, filter: filter, sourceCount: mapping.sourceCount)
      append(to: &whole)
      guard mapping.step > 2 else { continue }
      axis.shorten(least: 0.01)
      append(to: &shortened)
    }
    let sparesGroup = rounded(shortened.longest) < rounded(whole.longest)
    return mapping.step > 2 && sparesGroup ? shortened : whole
  }

  /// The weights that every result has room for: a multiple of 4.
  private static func rounded(_ taps: Int) -> Int { (max(taps, 1) + 3) & ~3 }

  /// The weights, changed as little as the kernels' arithmetic demands: weights j and j + 2 add up
  /// to at most 1, which also bounds every single one.
  ///
  /// What is too much moves to the neighbour between the two, or to the only one there is at an
  /// edge. Filters exceed the bound by a few hundredths, where they extrapolate.
  private static func bound(_ weights: inout [Int]) {
    let indices = weights.indices
    func bound(_ index: Int, with other: Int) {
      let partner = indices.contains(other) ? weights[other] : 0
      let excess = weights[index] + partner - one
      guard excess > 0, weights[index] >= partner else { return }
      let middle = (index + other) / 2
      let receiver = indices.contains(middle) ? middle : 2 * index - middle
      weights[index] -= excess
      weights[receiver] += excess
    }
    for index in indices {
      bound(index, with: index - 2)
      bound(index, with: index + 2)
    }
  }

  /// Writes negated weights from `offset` on.
  private static func place(
    _ weights: ArraySlice<Int>, at offset: Int, in result: UnsafeMutableBufferPointer<Int8>
  ) {
    var (index, negative) = (offset, 0)
    for value in weights {
      unsafe result[index] = Int8(-value)
      negative += min(value, 0)
      index += 1
    }
    precondition(negative >= -one / 2, "the filter's negative lobes are too deep")
  }
}
