/// The maximum of the last `length` values pushed, with amortized constant time per value.
package struct SlidingMaximum: Sendable {
  private let length: Int
  /// A ring of candidates in descending order from `head` on: a value followed by a later and
  /// larger one can never be the maximum again.
  private var values: [Int64]
  /// The time of each candidate, as the number of values pushed before it.
  private var times: [Int]
  private var head = 0
  private var count = 0
  private var now = 0

  /// Creates an empty window of `length` values, at least 1.
  package init(length: Int) {
    precondition(length > 0)
    self.length = length
    self.values = Array(repeating: 0, count: length)
    self.times = Array(repeating: 0, count: length)
  }

  /// Pushes `value`, removes values older than the window and returns the maximum.
  package mutating func push(_ value: Int64) -> Int64 {
    if count > 0, times[head] <= now - length { dropFirst() }
    while count > 0, values[slot(count - 1)] <= value { count -= 1 }
    values[slot(count)] = value
    times[slot(count)] = now
    count += 1
    now += 1
    return values[head]
  }

  private mutating func dropFirst() {
    head = slot(1)
    count -= 1
  }

  private func slot(_ offset: Int) -> Int {
    let index = head + offset
    return index < length ? index : index - length
  }
}
