import CPixelKernels
import TestSupport
import Testing

@testable import Pixels

@Suite struct VerticalKernelTests {
  private func expectEqual(
    count: Int, pairs: Int, level: Kernels.Level, using generator: inout SplitMix64
  ) {
    // The farthest results of the horizontal pass, and weights whose magnitudes add up to 2.
    let extremes: [Int16] = [-32576, 32704]
    let samples = (0..<pairs).map { _ in
      GuardedBuffer(
        (0..<2 * (count + Int(TPK_PAIR_PADDING))).map { _ in
          Bool.random(using: &generator)
            ? extremes[Int.random(in: 0...1, using: &generator)]
            : Int16.random(in: -32576...32704, using: &generator)
        })
    }
    var weights = [Int16](repeating: 0, count: 2 * pairs)
    weights[Int.random(in: 0..<2 * pairs, using: &generator)] = -16384
    weights[Int.random(in: 0..<2 * pairs, using: &generator)] -= 8192
    weights[Int.random(in: 0..<2 * pairs, using: &generator)] += 8192
    let guarded = GuardedBuffer(weights)
    defer { withExtendedLifetime((samples, guarded)) {} }
    let rows = unsafe samples.map { unsafe UnsafePointer<Int16>?($0.base) }
    func results(_ level: Kernels.Level) -> [UInt8] {
      let target = GuardedBuffer<UInt8>(count: count)
      unsafe Kernels(level: level).table.vertical(target.base, rows, guarded.base, pairs, count)
      return target.array
    }
    #expect(results(level) == results(.c))
  }

  @Test(arguments: Kernels.Level.optimized)
  func followsTheReference(level: Kernels.Level) {
    var generator = SplitMix64(seed: 21)
    for count in 1...160 {
      expectEqual(count: count, pairs: 1 + count % 9, level: level, using: &generator)
    }
    for _ in 0..<30 {
      expectEqual(
        count: .random(in: 161...2000, using: &generator),
        pairs: .random(in: 1...30, using: &generator), level: level, using: &generator)
    }
  }
}
