/// The filter taps of all results of an axis.
///
/// All weights are in one array, so few allocations are needed: moving tiles require new taps for
/// every frame.
struct AxisTaps {
  /// The first source sample of each result.
  private(set) var firsts: [Int] = []
  /// The largest number of weights of a result.
  private(set) var longest = 0
  private var ends: [Int] = []
  private var weights: [Int] = []

  /// Creates an empty collection with room for `capacity` results.
  init(capacity: Int) {
    firsts.reserveCapacity(capacity)
    ends.reserveCapacity(capacity)
  }

  /// Appends a result computed from consecutive source samples from `first` on.
  mutating func append(first: Int, _ weights: ArraySlice<Int>) {
    firsts.append(first)
    self.weights.append(contentsOf: weights)
    ends.append(self.weights.count)
    longest = max(longest, weights.count)
  }

  /// Returns the weights of a result.
  func weights(_ result: Int) -> ArraySlice<Int> {
    weights[(result > 0 ? ends[result - 1] : 0)..<ends[result]]
  }

  /// The source sample that the first result copies, if all results copy consecutive samples;
  /// otherwise `nil`.
  var copiedFrom: Int? {
    guard longest == 1, let start = firsts.first else { return nil }
    for (index, first) in firsts.enumerated() where first != start + index { return nil }
    return start
  }
}
