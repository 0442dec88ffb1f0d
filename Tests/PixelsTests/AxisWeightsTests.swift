import TestSupport
import Testing

@testable import Pixels

@Suite struct AxisWeightsTests {
  @Test(arguments: ResampleFilter.allCases, [128, 16384])
  func weightsAddUpToOneWithinTheSource(filter: ResampleFilter, one: Int) {
    var generator = SplitMix64(seed: 61)
    var axis = AxisWeights()
    for _ in 0..<3000 {
      let count = Int.random(in: 1...400, using: &generator)
      let step = Double.random(in: 0.05...20, using: &generator)
      let center = Double.random(in: -2...Double(count) + 1, using: &generator)
      axis.compute(center: center, step: step, filter: filter, sourceCount: count, one: one)
      #expect(axis.values.reduce(0, +) == one)
      #expect(axis.first >= 0 && axis.first + axis.values.count <= count)
    }
  }

  @Test func fartherEndsMirrorEachOther() {
    var (near, far) = (AxisWeights(), AxisWeights())
    for filter in ResampleFilter.allCases {
      near.compute(center: 0.3, step: 2.7, filter: filter, sourceCount: 50, one: 128)
      far.compute(center: 48.7, step: 2.7, filter: filter, sourceCount: 50, one: 128)
      #expect(near.values == far.values.reversed())
      #expect(near.first == 50 - far.first - far.values.count)
    }
  }
}
