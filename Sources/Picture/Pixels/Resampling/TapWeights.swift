/// The filter taps of one result sample: consecutive source samples and their weights.
struct TapWeights: Hashable {
  /// The index of the first source sample.
  var first: Int
  /// The weights of the source samples from ``first`` on.
  var weights: [Int]
}
