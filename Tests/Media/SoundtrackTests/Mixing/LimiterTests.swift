import Foundation
import TesseraSoundtrack
import TestSupport
import Testing

@Suite(.timed) struct LimiterTests {
  /// Returns the output for interleaved samples, with the delay removed.
  private static func limited(_ samples: [Float]) -> [Float] {
    let length = 2 * Soundtrack.blockLength
    var limiter = Limiter()
    var output: [Float] = []
    for start in stride(from: 0, to: samples.count + length, by: length) {
      var block = [Float](repeating: 0, count: length)
      for index in 0..<max(0, min(length, samples.count - start)) {
        block[index] = samples[start + index]
      }
      limiter.process(&block)
      output += block
    }
    return Array(output[length..<length + samples.count])
  }

  private static func truePeakDecibels(_ samples: [Float]) -> Float {
    let newest = TruePeak.tapCount - 1..<samples.count / 2
    return 20 * log10(newest.reduce(0) { max($0, TruePeak.level(samples.span, newest: $1)) })
  }

  private static func stereo(_ count: Int, _ value: (Int) -> (Double, Double)) -> [Float] {
    (0..<count).flatMap { index in
      let (left, right) = value(index)
      return [Float(left), Float(right)]
    }
  }

  private static func firstDifference(_ a: [Float], _ b: [Float]) -> Int? {
    zip(a, b).enumerated().first { $0.element.0 != $0.element.1 }?.offset
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func samplesBelowTheCeilingAreUnchanged(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let samples = Self.stereo(20_000) { _ in
      (.random(in: -0.41...0.41, using: &random), .random(in: -0.41...0.41, using: &random))
    }
    #expect(Self.firstDifference(Self.limited(samples), samples) == nil)
    let sine = Self.stereo(20_000) { index in
      let level = 0.84 * min(1, Double(index) / 4800)
      return (level * sin(Double(index) / 20), level * cos(Double(index) / 20))
    }
    #expect(Self.firstDifference(Self.limited(sine), sine) == nil)
  }

  @Test func soundIsExactAfterALoudMoment() {
    var random = SplitMix64(seed: 4)
    let samples = Self.stereo(6 * 48_000) { index in
      let level = (48_000..<60_000).contains(index) ? 3.0 : 0.3
      return (.random(in: -level...level, using: &random), 0)
    }
    let output = Self.limited(samples)
    let first = Self.firstDifference(output, samples) ?? 0
    let last = samples.count - (Self.firstDifference(output.reversed(), samples.reversed()) ?? 0)
    #expect((2 * 47_700...2 * 48_000).contains(first))
    #expect((2 * 90_000...2 * 48_000 * 4).contains(last))
  }

  @Test(arguments: [20.0, 55, 440, 997, 5000, 11_999, 15_000], [1.0, 2, 30])
  func sinesStayBelowTheCeiling(frequency: Double, level: Double) {
    let samples = Self.stereo(24_000) { index in
      let phase = 2 * .pi * frequency * Double(index) / 48_000
      return (level * sin(phase), level * cos(phase))
    }
    #expect(Self.truePeakDecibels(Self.limited(samples)) < Limiter.ceilingDecibels + 0.05)
  }

  @Test(arguments: [1.0, 4, 30])
  func clicksStayBelowTheCeiling(level: Double) {
    let samples = Self.stereo(48_000) { index in
      (index % 4801 == 0 ? level : 0, index % 997 < 2 ? -level : 0)
    }
    #expect(Self.truePeakDecibels(Self.limited(samples)) < Limiter.ceilingDecibels + 0.05)
  }

  @Test(arguments: [UInt64(5), 6])
  func noiseOfThirtyVoicesStaysBelowTheCeiling(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let samples = Self.stereo(48_000) { _ in
      (.random(in: -30...30, using: &random), .random(in: -30...30, using: &random))
    }
    #expect(Self.truePeakDecibels(Self.limited(samples)) < Limiter.ceilingDecibels + 0.1)
  }

  @Test func gainMovesSmoothly() {
    let samples = Self.stereo(48_000) { index in
      let level = (20_000..<22_000).contains(index) ? 4.0 : 0.5
      return (level, 0.25 * level)
    }
    let output = Self.limited(samples)
    let gains = stride(from: 0, to: samples.count, by: 2).map { output[$0] / samples[$0] }
    let largestStep = zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(largestStep < 0.015)
    #expect(gains.min().map { abs($0 - Limiter.ceiling / 4) < 0.05 } == true)
    let isUntouchedBefore = gains[..<(20_000 - Limiter.attack - TruePeak.tapCount)].allSatisfy {
      $0 == 1
    }
    #expect(isUntouchedBefore)
  }

  @Test func lowTonesAreNotDistorted() {
    let frequency = 60.0
    let samples = Self.stereo(96_000) { index in
      let value = 4 * sin(2 * .pi * frequency * Double(index) / 48_000)
      return (value, value)
    }
    let output = Self.limited(samples)
    var (sine, cosine, power) = (0.0, 0.0, 0.0)
    for index in 48_000..<96_000 {
      let value = Double(output[2 * index])
      let phase = 2 * .pi * frequency * Double(index) / 48_000
      sine += value * sin(phase)
      cosine += value * cos(phase)
      power += value * value
    }
    let fundamental = (sine * sine + cosine * cosine) * 2 / 48_000
    #expect(sqrt(max(0, power - fundamental) / power) < 0.01)
  }
}
