import TesseraSoundtrack
import TestSupport
import Testing

@Suite(.timed) struct SlidingMaximumTests {
  @Test(arguments: [1, 2, 7, 100], [UInt64(1), 2])
  func resultsMatchTheMaximumOfTheWindow(length: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let values = (0..<500).map { _ in Int64.random(in: 0...20, using: &random) }
    var window = SlidingMaximum(length: length)
    for index in values.indices {
      let expected = values[max(0, index - length + 1)...index].max()
      #expect(window.push(values[index]) == expected)
    }
  }
}
