/// The case that every result is the plain mean of as many samples: result i of those from
/// `start + length * i` on. A mean of one sample is a copy.
struct Means: Hashable, Sendable {
  /// The first sample of the first result.
  var start: Int
  /// The number of samples of a result.
  var length: Int

  /// The means that these weights are, which add up to `one`; nil where they are none.
  init?(_ results: [(first: Int, weights: [Int])], one: Int) {
    guard let result = results.first, one.isMultiple(of: result.weights.count) else { return nil }
    (start, length) = (result.first, result.weights.count)
    for (index, result) in results.enumerated() {
      guard result.first == start + length * index, result.weights.count == length,
        result.weights.allSatisfy({ $0 == one / length })
      else { return nil }
    }
  }
}
