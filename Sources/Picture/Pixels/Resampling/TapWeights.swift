/// What a result sample is made of: consecutive source samples from `first` on, with their weights.
struct TapWeights: Hashable {
  /// The first source sample.
  var first: Int
  /// The weights of that and the following samples.
  var weights: [Int]
}
