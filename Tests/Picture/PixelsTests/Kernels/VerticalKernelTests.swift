import CTesseraPixelKernels
import TestSupport
import Testing

@testable import TesseraPixels

@Suite(.timed) struct VerticalKernelTests {
  private func expectEqual(
    count: Int, spans: [Range<Int>], level: PixelKernels.InstructionSet,
    using generator: inout SplitMix64
  ) {
    // The extreme results of the horizontal pass.
    let extremes: [Int16] = [-32576, 32704]
    let samples = (0..<(spans.map(\.upperBound).max() ?? 0)).map { _ in
      GuardedBuffer(
        (0..<2 * (count + Int(TPK_PAIR_PADDING))).map { _ in
          Bool.random(using: &generator)
            ? extremes[Int.random(in: 0...1, using: &generator)]
            : Int16.random(in: -32576...32704, using: &generator)
        })
    }
    let weights = spans.map { GuardedBuffer(Self.weights(pairs: $0.count, using: &generator)) }
    let pointers = unsafe GuardedBuffer<UnsafePointer<Int16>?>(
      samples.map { unsafe UnsafePointer($0.base) })
    defer { unsafe withExtendedLifetime((samples, weights, pointers)) {} }
    let rows = unsafe zip(spans, weights).map { span, weights in
      unsafe tpk_vertical_row(
        weights: weights.base, pair_count: Int32(span.count), slot: Int32(span.lowerBound))
    }
    func results(_ level: PixelKernels.InstructionSet) -> [UInt8] {
      let stride = count + 3
      let target = GuardedBuffer<UInt8>(count: stride * (spans.count - 1) + count)
      unsafe PixelKernels(level: level).table.vertical(
        target.base, stride, pointers.base, rows, rows.count, count)
      return target.array
    }
    #expect(results(level) == results(.c), "rows of \(count) from pairs \(spans)")
  }

  /// Returns weights whose magnitudes add up to at most 2.
  private static func weights(pairs: Int, using generator: inout SplitMix64) -> [Int16] {
    var weights = [Int16](repeating: 0, count: 2 * pairs)
    weights[Int.random(in: 0..<2 * pairs, using: &generator)] = -16384
    weights[Int.random(in: 0..<2 * pairs, using: &generator)] -= 8192
    weights[Int.random(in: 0..<2 * pairs, using: &generator)] += 8192
    return weights
  }

  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func resultsEqualTheReference(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 21)
    for count in 1...160 {
      expectEqual(count: count, spans: [0..<1 + count % 9], level: level, using: &generator)
    }
    for _ in 0..<30 {
      expectEqual(
        count: .random(in: 161...2000, using: &generator),
        spans: [0..<Int.random(in: 1...30, using: &generator)], level: level, using: &generator)
    }
  }

  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func twoRowsShareTheirPairs(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 22)
    for first in 0...3 {
      for both in 0...7 {
        for second in 0...3 where both + first > 0 && both + second > 0 {
          expectEqual(
            count: .random(in: 1...300, using: &generator),
            spans: [0..<first + both, first..<first + both + second], level: level,
            using: &generator)
        }
      }
    }
    for spans in [
      [0..<5, 1..<4], [0..<2, 3..<5], [2..<4, 0..<3], [1..<20, 17..<40],
      [0..<3, 1..<4, 1..<4, 2..<5, 3..<9], [0..<1, 0..<1, 2..<4, 1..<4],
    ] {
      expectEqual(count: 177, spans: spans, level: level, using: &generator)
    }
  }
}
