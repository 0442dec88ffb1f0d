import TestSupport
import Testing

@testable import TesseraPixels

extension AxisWeightCalculator {
  fileprivate mutating func compute(
    center: Double, step: Double, filter: ResampleFilter, sourceCount: Int, one: Int,
    least: Double = 0
  ) {
    collect(center: center, step: step, filter: filter, sourceCount: sourceCount)
    shorten(least: least)
    quantize(one: one)
  }
}

@Suite(.timed) struct AxisWeightCalculatorTests {
  @Test(arguments: ResampleFilter.allCases, [128, 16384])
  func weightsAddUpToOneWithinTheSource(filter: ResampleFilter, one: Int) {
    var generator = SplitMix64(seed: 61)
    var axis = AxisWeightCalculator()
    for _ in 0..<3000 {
      let count = Int.random(in: 1...400, using: &generator)
      let step = Double.random(in: 0.05...20, using: &generator)
      let center = Double.random(in: -2...Double(count) + 1, using: &generator)
      axis.compute(
        center: center, step: step, filter: filter, sourceCount: count, one: one,
        least: [0, 0.01].randomElement(using: &generator) ?? 0)
      #expect(axis.values.reduce(0, +) == one)
      #expect(axis.first >= 0 && axis.first + axis.values.count <= count)
    }
  }

  @Test func oppositeEndsMirrorEachOther() {
    var (near, far) = (AxisWeightCalculator(), AxisWeightCalculator())
    for filter in ResampleFilter.allCases {
      near.compute(center: 0.3, step: 2.7, filter: filter, sourceCount: 50, one: 128)
      far.compute(center: 48.7, step: 2.7, filter: filter, sourceCount: 50, one: 128)
      #expect(Array(near.values) == far.values.reversed())
      #expect(near.first == 50 - far.first - far.values.count)
    }
  }

  /// Bicubic at 3.56:1 covers 14 or 15 samples, of which the outer ones weigh less than a
  /// hundredth.
  @Test func smallOuterWeightsMoveToTheirNeighbors() {
    var (whole, short) = (AxisWeightCalculator(), AxisWeightCalculator())
    for phase in stride(from: 0.0, to: 1, by: 0.07) {
      whole.compute(
        center: 100 + phase, step: 3.56, filter: .bicubic, sourceCount: 200, one: 16384)
      short.compute(
        center: 100 + phase, step: 3.56, filter: .bicubic, sourceCount: 200, one: 16384,
        least: 0.01)
      #expect(whole.values.count >= 14)
      #expect((11...12).contains(short.values.count))
      #expect(short.values.first.map(abs) ?? 0 >= 160)
      #expect(short.values.last.map(abs) ?? 0 >= 160)
      let lead = short.first - whole.first
      let inner = whole.values.dropFirst(lead + 1).prefix(short.values.count - 2)
      for (kept, before) in zip(short.values.dropFirst(), inner) {
        #expect(abs(kept - before) <= 1)
      }
    }
  }

  @Test func filtersAreShortenedOnlyToSaveAGroup() {
    func longest(_ source: Int, _ target: Int, _ filter: ResampleFilter) -> Int {
      let axis = AxisMapping.PixelAxis(
        source: source, cropStart: 0, cropLength: 1, destinationStart: 0,
        destinationLength: Double(target), mirrored: false)
      let mapping = AxisMapping(axis, first: 0, count: target, source: .luma, canvas: .luma)
      return HorizontalWeights.weights(mapping, filter: filter).longest
    }
    #expect(longest(1280, 582, .bicubic) == 8)
    #expect(longest(720, 202, .bicubic) == 12)
    #expect(longest(1280, 320, .bicubic) == 14)
    #expect(longest(1280, 256, .bicubic) == 17)
  }
}
