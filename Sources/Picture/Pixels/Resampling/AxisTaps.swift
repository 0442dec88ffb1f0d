/// What all results of an axis are made of.
///
/// All weights lie in one array: making it allocates little, because tiles that move need new ones
/// for every frame.
struct AxisTaps: RandomAccessCollection {
  /// For every result its first source sample.
  private(set) var firsts: [Int] = []
  /// The most weights that a result has.
  private(set) var longest = 0
  private var ends: [Int] = []
  private var weights: [Int] = []

  /// No results yet, but room for that many.
  init(capacity: Int) {
    firsts.reserveCapacity(capacity)
    ends.reserveCapacity(capacity)
  }

  /// These results.
  init(_ results: [TapWeights]) {
    self.init(capacity: results.count)
    for result in results { append(first: result.first, result.weights[...]) }
  }

  /// Adds a result that is made from source sample `first` and the following ones.
  mutating func append(first: Int, _ weights: ArraySlice<Int>) {
    firsts.append(first)
    self.weights.append(contentsOf: weights)
    ends.append(self.weights.count)
    longest = Swift.max(longest, weights.count)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { firsts.count }

  subscript(result: Int) -> TapWeights {
    TapWeights(first: firsts[result], weights: Array(weights(result)))
  }

  /// The weights of a result.
  func weights(_ result: Int) -> ArraySlice<Int> {
    weights[(result > 0 ? ends[result - 1] : 0)..<ends[result]]
  }

  /// The greatest weight, at least 0.
  var heaviest: Int { weights.reduce(0) { Swift.max($0, $1) } }

  /// The greatest power of two, at most `limit`, that divides all weights; nil where some are
  /// negative.
  func commonUnit(limit: Int) -> Int? {
    var bits = limit
    for weight in weights {
      guard weight >= 0 else { return nil }
      bits |= weight
    }
    return bits & -bits
  }

  /// The first of the samples that the results are, one after the other; nil where they are not.
  var copiedFrom: Int? {
    guard longest == 1, let start = firsts.first else { return nil }
    for (index, first) in firsts.enumerated() where first != start + index { return nil }
    return start
  }
}
