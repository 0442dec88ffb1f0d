import TesseraSoundtrack
import TestSupport
import Testing

@Suite(.timed) struct MovingSumTests {
  @Test func resultsMatchTheSumOfTheWindow() {
    var random = SplitMix64(seed: 1)
    let values = (0..<500).map { _ in Int64.random(in: 0...1 << 24, using: &random) }
    var window = MovingSum(length: 30)
    for index in values.indices {
      #expect(window.push(values[index]) == values[max(0, index - 29)...index].reduce(0, +))
    }
    for _ in 0..<30 { _ = window.push(0) }
    #expect(window.sum == 0)
  }
}
