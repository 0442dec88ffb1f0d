/// What a result sample is made of: consecutive source samples from `first` on, with their weights.
struct TapWeights: Hashable {
  /// The first source sample.
  var first: Int
  /// The weights of that and the following samples.
  var weights: [Int]
}

extension [TapWeights] {
  /// The greatest power of two, at most `limit`, that divides all weights; nil where some are
  /// negative.
  func commonUnit(limit: Int) -> Int? {
    var bits = limit
    for result in self {
      for weight in result.weights {
        guard weight >= 0 else { return nil }
        bits |= weight
      }
    }
    return bits & -bits
  }

  /// The first of the samples that the results are, one after the other; nil where they are not.
  var copiedFrom: Int? {
    guard let start = first?.first else { return nil }
    let copies = enumerated().allSatisfy { index, result in
      result.weights.count == 1 && result.first == start + index
    }
    return copies ? start : nil
  }
}
