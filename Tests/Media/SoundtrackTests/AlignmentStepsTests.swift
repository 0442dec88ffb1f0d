import TestSupport
import Testing

@testable import TesseraSoundtrack

@Suite(.timed) struct AlignmentStepsTests {
  private static func votes(_ lags: [(time: Double, lag: Double)]) -> [AlignmentLine.TimePair] {
    lags.map { AlignmentLine.TimePair(time: $0.time, place: $0.time + $0.lag) }
  }

  @Test("Changes of the lag are found beside a drift and among wrong votes")
  func changes() throws {
    var lags = (0..<60).map { index -> (Double, Double) in
      let time = 2 * Double(index)
      return (time, 5 + 8e-5 * time + (time > 50 ? 0.02 : 0) + (time > 90 ? 1.5 : 0))
    }
    for index in stride(from: 3, to: 60, by: 7) { lags[index].1 += index % 2 == 0 ? 0.3 : -0.2 }
    let steps = try #require(AlignmentSteps(Self.votes(lags), tolerance: 0.002))
    let found = steps.changes(over: 0.01)
    #expect(found.count == 2)
    #expect(abs(found[0].size - 0.02) < 1e-3 && found[0].range.widen(4).contains(51))
    #expect(abs(found[1].size - 1.5) < 1e-3 && found[1].range.widen(4).contains(91))
    #expect(abs(steps.lines[0].drift - 8e-5) < 1e-5)
  }

  @Test("A drift alone is one line, and no line is steeper than real clocks")
  func drift() throws {
    let slow = Self.votes((0..<40).map { (3 * Double($0), 1e-4 * 3 * Double($0)) })
    #expect(AlignmentSteps(slow, tolerance: 0.002)?.lines.count == 1)
    let steep = Self.votes([(0, 0), (0.01, 0.004), (0.02, 0.008)])
    let lines = try #require(AlignmentSteps(steep, tolerance: 0.005)).lines
    #expect(lines.allSatisfy { abs($0.drift) <= SoundAligner.largestDrift / 1e6 })
    #expect(AlignmentSteps([], tolerance: 0.002) == nil)
  }
}

extension ClosedRange<Double> {
  fileprivate func widen(_ value: Double) -> Self { lowerBound - value...upperBound + value }
}
