/// The sum of the last `length` values that were pushed, exact however long it runs.
package struct MovingSum: Sendable {
  private var values: [Int64]
  private var oldest = 0
  /// The sum now.
  package private(set) var sum: Int64 = 0

  /// The sum of a window of that many values, all 0 at first.
  package init(length: Int) {
    self.values = Array(repeating: 0, count: length)
  }

  /// Takes `value` in and the oldest one out, and returns the sum.
  package mutating func push(_ value: Int64) -> Int64 {
    sum += value - values[oldest]
    values[oldest] = value
    oldest = oldest + 1 == values.count ? 0 : oldest + 1
    return sum
  }
}
