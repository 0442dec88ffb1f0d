/// The sum of the last `length` integers pushed. The sum stays exact, however many are pushed.
package struct MovingSum: Sendable {
  private var values: [Int64]
  /// The index in `values` of the oldest value.
  private var oldest = 0
  package private(set) var sum: Int64 = 0

  /// Creates a window of `length` zeros.
  package init(length: Int) {
    self.values = Array(repeating: 0, count: length)
  }

  /// Pushes `value`, removes the oldest value and returns the sum.
  package mutating func push(_ value: Int64) -> Int64 {
    sum += value - values[oldest]
    values[oldest] = value
    oldest = oldest + 1 == values.count ? 0 : oldest + 1
    return sum
  }
}
