internal import CTesseraPixelKernels

/// The weights of the horizontal pass, packed for the kernels of one level.
@safe final class HorizontalWeights: @unchecked Sendable {
  /// The plan that the kernels read; valid while this object lives.
  let plan: UnsafeMutablePointer<tpk_horizontal>
  /// The number of samples that the kernels may read of every source row.
  let readable: Int
  /// The first copied column if the pass only copies; see ``AxisTaps/copiedFrom``.
  let copiedFrom: Int?
  private let left: UnsafeMutablePointer<Int32>
  private let weights: UnsafeMutablePointer<Int8>
  private let packed: UnsafeMutableRawPointer

  /// Creates the axis of `results`.
  init(_ mapping: AxisMapping, _ results: AxisTaps, kernels: PixelKernels) {
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

  /// Returns the weights of every result, for the source as stored.
  ///
  /// If results are more than two samples apart, filters lose end weights below a hundredth,
  /// provided that this saves a group of four samples.
  static func weights(_ mapping: AxisMapping, filter: ResampleFilter) -> AxisTaps {
    let least = least(mapping, filter: filter)
    var taps = AxisTaps(capacity: mapping.count)
    var axis = AxisWeightCalculator()
    for index in 0..<mapping.count {
      axis.collect(mapping, index, filter: filter)
      axis.shorten(least: least)
      axis.quantize(one: one)
      axis.bound(one: one)
      if mapping.mirrored { axis.mirror(sourceCount: mapping.sourceCount) }
      taps.append(first: axis.first, axis.values)
    }
    return taps
  }

  /// Returns the least weight that the ends of a filter keep.
  private static func least(_ mapping: AxisMapping, filter: ResampleFilter) -> Double {
    guard mapping.step > 2 else { return 0 }
    var (whole, shortened) = (0, 0)
    var axis = AxisWeightCalculator()
    for index in 0..<mapping.count {
      axis.collect(mapping, index, filter: filter)
      // A smaller weight is rounded to 0, and its neighbor takes it.
      axis.shorten(least: 0.5 / Double(one))
      whole = max(whole, axis.exactCount)
      axis.shorten(least: 0.01)
      shortened = max(shortened, axis.exactCount)
    }
    return rounded(shortened) < rounded(whole) ? 0.01 : 0
  }

  /// Returns the number of weights reserved for every result: a multiple of 4.
  private static func rounded(_ taps: Int) -> Int { (max(taps, 1) + 3) & ~3 }

  /// Writes the negated weights from `offset` on.
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
