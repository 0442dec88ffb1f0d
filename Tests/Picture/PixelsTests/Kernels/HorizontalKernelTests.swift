import CTesseraPixelKernels
import TestSupport
import Testing

@testable import TesseraPixels

/// The weights of a horizontal plan in guarded memory.
private struct RawAxis {
  let source: Int
  let taps: Int
  let left: GuardedBuffer<Int32>
  let weights: GuardedBuffer<Int8>

  /// Creates results every `step` samples, in either direction, with the widest weights.
  init(count: Int, step: Double, taps: Int, using generator: inout SplitMix64) {
    let span = Int((step * Double(count)).rounded(.up)) + taps
    let source = max(span, taps + Int(TPK_WINDOW))
    let mirrored = Bool.random(using: &generator)
    self.source = source
    self.taps = taps
    left = GuardedBuffer(
      (0..<count).map { index in
        let start = Int32(Double(index) * step)
        return mirrored ? Int32(source - taps) - start : start
      })
    weights = GuardedBuffer(
      (0..<count).flatMap { _ in Self.extremeWeights(taps, using: &generator) })
  }

  /// Creates results every four samples, whose taps begin `lead` samples before the source and end
  /// after it.
  init(count: Int, lead: Int, taps: Int, using generator: inout SplitMix64) {
    self.init(
      (0..<count).map { 4 * $0 - lead }, taps: taps,
      source: max(4 * count + taps - lead - 6, taps + Int(TPK_WINDOW)), using: &generator)
  }

  /// Creates results centered on a row of `source` samples, like those of a whole picture.
  init(count: Int, step: Double, taps: Int, source: Int, using generator: inout SplitMix64) {
    self.init(
      (0..<count).map { Int((Double($0) + 0.5) * step) - taps / 2 }, taps: taps, source: source,
      using: &generator)
  }

  /// Creates results whose taps begin with the samples `first`. Taps outside the source have no
  /// weight.
  private init(_ first: [Int], taps: Int, source: Int, using generator: inout SplitMix64) {
    self.source = source
    self.taps = taps
    let starts = first.map { min(max(0, $0), source - taps) }
    left = GuardedBuffer(starts.map { Int32($0) })
    weights = GuardedBuffer(
      zip(first, starts).flatMap { first, start in
        let weights = Self.extremeWeights(taps, using: &generator)
        return (0..<taps).map { tap in
          let moved = start + tap - first
          return weights.indices.contains(moved) ? weights[moved] : 0
        }
      })
  }

  /// Creates groups of `alike` results with equal taps; each group starts `distance` samples after
  /// the previous one.
  init(count: Int, alike: Int, distance: Int, taps: Int, using generator: inout SplitMix64) {
    let starts = (0..<count).map { $0 / alike * distance }
    source = max((starts.last ?? 0) + taps, taps + Int(TPK_WINDOW))
    self.taps = taps
    left = GuardedBuffer(starts.map { Int32($0) })
    weights = GuardedBuffer(
      (0..<count).flatMap { _ in Self.extremeWeights(taps, using: &generator) })
  }

  /// Returns one weight of 1, or two adjacent ones of 3/4 with -1/2 elsewhere, or some of every
  /// tap; all negated.
  private static func extremeWeights(
    _ taps: Int, using generator: inout SplitMix64
  ) -> [Int8] {
    guard taps > 128 || Int.random(in: 0..<3, using: &generator) > 0 else {
      var even = [Int8](repeating: Int8(-128 / taps), count: taps)
      even[Int.random(in: 0..<taps, using: &generator)] -= Int8(128 % taps)
      return even
    }
    var weights = [Int8](repeating: 0, count: taps)
    let at = Int.random(in: 0..<taps - 1, using: &generator)
    let other = (at + taps / 2) % taps
    if Bool.random(using: &generator) || other == at + 1 {
      weights[at] = -128
    } else {
      weights[at] = -96
      weights[at + 1] = -96
      weights[other] = 64
    }
    return weights
  }
}

/// A horizontal plan, packed for one level.
@safe private final class RawPlan {
  private let kernels: PixelKernels
  private let axis: RawAxis
  private var plan: tpk_horizontal
  private let packed: UnsafeMutableRawPointer

  init(_ axis: RawAxis, level: PixelKernels.InstructionSet) {
    self.axis = axis
    kernels = PixelKernels(level: level)
    unsafe plan = tpk_horizontal(
      source: Int32(axis.source), count: Int32(axis.left.elements.count), taps: Int32(axis.taps),
      left: axis.left.base, weights: axis.weights.base, packed: nil)
    let bytes = unsafe kernels.table.packed_size(&plan)
    unsafe packed = .allocate(byteCount: max(bytes, 64), alignment: 64)
    unsafe kernels.table.pack(&plan, packed)
    unsafe plan.packed = UnsafeRawPointer(packed)
  }

  deinit {
    unsafe packed.deallocate()
  }

  /// Returns the requested results of every pair of rows.
  ///
  /// The rows are `stride` samples apart; a negative stride starts with the last row.
  func scale(
    _ rows: GuardedBuffer<UInt8>, stride: Int, pairs count: Int, _ results: Range<Int>
  ) -> [[Int16]] {
    let room = 2 * (Int(unsafe plan.count) + 15)
    let pairs = (0..<count).map { _ in GuardedBuffer<Int16>(count: room) }
    let targets = unsafe pairs.map { unsafe UnsafeMutablePointer<Int16>?($0.base) }
    let first = stride < 0 ? (1 - 2 * count) * stride : 0
    unsafe kernels.table.horizontal(
      &plan, targets, rows.base + first, stride, count, results.lowerBound, results.upperBound)
    withExtendedLifetime(rows) {}
    return pairs.map { Array($0.array[2 * results.lowerBound..<2 * results.upperBound]) }
  }
}

@Suite(.timed) struct HorizontalKernelTests {
  private func expectEqual(
    _ axis: RawAxis, level: PixelKernels.InstructionSet, pairs: Int,
    using generator: inout SplitMix64
  ) {
    let reference = RawPlan(axis, level: .c)
    let optimized = RawPlan(axis, level: level)
    let count = unsafe axis.left.elements.count
    let first = Int.random(in: 0..<count, using: &generator)
    let last = Int.random(in: first + 1...count, using: &generator)
    let stride = axis.source + Int.random(in: 0...3, using: &generator)
    let samples = generator.samples(stride * (2 * pairs - 1) + axis.source)
    for side in GuardedBuffer<UInt8>.Side.allCases {
      let rows = GuardedBuffer(samples, side: side)
      for range in [0..<count, first..<last] {
        for stride in [stride, -stride] {
          #expect(
            optimized.scale(rows, stride: stride, pairs: pairs, range)
              == reference.scale(rows, stride: stride, pairs: pairs, range))
        }
      }
    }
  }

  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func resultsEqualTheReferenceAtAllWidths(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 11)
    for count in 1...160 {
      let step = [0.3, 0.77, 1, 1.6, 2, 2.9, 3.7, 4.1, 5, 7.3, 8, 11.5, 21, 40][count % 14]
      let taps = [4, 8, 12, 16, 20, 36, 52, 72, 160][count % 9]
      let axis = RawAxis(count: count, step: step, taps: taps, using: &generator)
      expectEqual(axis, level: level, pairs: 1 + count % 5, using: &generator)
    }
  }

  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func resultsEqualTheReferenceAtRandomShapes(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 12)
    for _ in 0..<60 {
      let axis = RawAxis(
        count: .random(in: 161...1300, using: &generator),
        step: .random(in: 0.1...9, using: &generator),
        taps: 4 * .random(in: 1...14, using: &generator), using: &generator)
      expectEqual(axis, level: level, pairs: 5, using: &generator)
    }
  }

  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func resultsEqualTheReferenceAtWholeRatios(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 13)
    for step in [1.0, 2, 3, 4, 5, 8] {
      for taps in stride(from: 4, through: 32, by: 4) {
        let axis = RawAxis(
          count: .random(in: 1...400, using: &generator), step: step, taps: taps,
          using: &generator)
        expectEqual(axis, level: level, pairs: 5, using: &generator)
      }
    }
  }

  /// Full rows at ratios that need moving windows, which the last windows cannot do.
  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func resultsEqualTheReferenceAtTheEndOfARow(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 18)
    for step in [6.75, 6.86, 7, 7.1, 7.5, 7.9, 8] {
      for count in [92, 160, 240, 256, 280] {
        let taps = (Int((4 * step).rounded(.up)) + 3) & ~3
        let axis = RawAxis(
          count: count, step: step, taps: taps, source: Int((step * Double(count)).rounded()),
          using: &generator)
        expectEqual(axis, level: level, pairs: 5, using: &generator)
      }
    }
  }

  /// Filters as long as the ratios require: results of one window, of two, of four and more.
  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func resultsEqualTheReferenceWithWideFilters(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 16)
    for step in [2.2, 3.4, 3.74, 3.9, 4.4, 5, 5.4, 5.7, 6, 6.5, 7.4, 8, 9, 10.5, 12, 16, 19, 33] {
      for support in [1.0, 2, 4, 6] {
        let taps = (Int((support * step).rounded(.up)) + 3) & ~3
        let axis = RawAxis(
          count: .random(in: 30...200, using: &generator), step: step, taps: taps,
          using: &generator)
        expectEqual(axis, level: level, pairs: 5, using: &generator)
      }
    }
  }

  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func resultsEqualTheReferenceWithSharedSamples(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 17)
    for alike in [2, 3, 4, 8] {
      for distance in [9, 15, 40, 63] {
        for taps in [4, 8, 12, 16, 24, 36] {
          let axis = RawAxis(
            count: 50, alike: alike, distance: distance, taps: taps, using: &generator)
          expectEqual(axis, level: level, pairs: 3, using: &generator)
        }
      }
    }
  }

  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func resultsEqualTheReferenceAtTheEdgesOfFourToOne(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 15)
    for count in [40, 45, 48, 64, 79, 161, 320] {
      for taps in stride(from: 4, through: 28, by: 4) {
        for lead in [0, 3, 6, taps - 4, taps] {
          let axis = RawAxis(count: count, lead: lead, taps: taps, using: &generator)
          expectEqual(axis, level: level, pairs: 5, using: &generator)
        }
      }
    }
  }

  /// At 65 samples for 16 results, results are four samples apart within a block and five between
  /// two blocks.
  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func resultsEqualTheReferenceBetweenDistantBlocks(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 14)
    for step in [63.0 / 16, 65.0 / 16, 66.0 / 16, 130.0 / 32] {
      for taps in [8, 16, 24] {
        let axis = RawAxis(count: 200, step: step, taps: taps, using: &generator)
        expectEqual(axis, level: level, pairs: 4, using: &generator)
      }
    }
  }

  /// Windows with fewer results than a vector has lanes.
  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func resultsEqualTheReferenceBetweenWholeRatios(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 15)
    for step in stride(from: 3.5, through: 5.2, by: 0.1) {
      for taps in [12, 16] {
        let count = Int.random(in: 14...150, using: &generator)
        let axis = RawAxis(count: count, step: step, taps: taps, using: &generator)
        expectEqual(axis, level: level, pairs: 5, using: &generator)
      }
    }
  }
}
