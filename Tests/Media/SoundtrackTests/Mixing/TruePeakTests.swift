import Foundation
import TesseraSoundtrack
import TestSupport
import Testing

@Suite(.timed) struct TruePeakTests {
  private static func highestLevel(_ samples: [Float]) -> Float {
    let frames = samples.flatMap { [$0 / 2, $0] }
    return (TruePeak.tapCount - 1..<samples.count).reduce(0) { highest, newest in
      max(highest, TruePeak.level(frames.span, newest: newest))
    }
  }

  @Test(arguments: [100.0, 997, 4000, 9000])
  func peaksOfSinesBetweenSamplesAreFound(frequency: Double) {
    let samples = (0..<9600).map { Float(sin(2 * .pi * frequency * Double($0) / 48_000)) }
    #expect(abs(20 * log10(Self.highestLevel(samples))) < 0.2)
  }

  @Test func quarterRateSineSampledAtFortyFiveDegreesIsThreeDecibelsHigher() {
    let samples = (0..<400).map { Float(sin(.pi / 2 * Double($0) + .pi / 4)) }
    #expect(samples.map(abs).max().map { abs($0 - 0.7071) < 0.001 } == true)
    #expect(abs(20 * log10(Self.highestLevel(Array(samples[50...])))) < 0.5)
  }

  @Test func nothingExceedsTheLargestGain() {
    var random = SplitMix64(seed: 3)
    let samples = (0..<20_000).map { _ in Bool.random(using: &random) ? Float(1) : -1 }
    #expect(Self.highestLevel(samples) <= TruePeak.largestGain)
  }
}
