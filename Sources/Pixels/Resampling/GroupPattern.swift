/// The case that every four source samples make as many results, always by the same weights.
struct GroupPattern {
  /// Four taps of one result of a group, or two of each of two results.
  struct Term {
    /// The first tap, counted from the group's first source sample.
    var offset: Int
    /// The four weights.
    var weights: [Int]
  }

  /// The results of a group, 1 to 3; two are the same, two samples apart.
  let phases: Int
  /// As many terms, or one or two for one result and for two.
  let terms: [Term]
  /// The groups that follow the pattern; results at the edges may not.
  let groups: Range<Int>
  /// The weights of every term for the group before these, and for the one after, where they
  /// differ in their weights only.
  var (before, after): ([[Int]]?, [[Int]]?)

  /// The pattern of these results; nil where there is none.
  init?(_ results: [TapWeights]) {
    for phases in 1...3 {
      guard let groups = Self.groups(results, phases: phases) else { continue }
      let middle = results.count / 2 / phases
      let group = (0..<phases).map { phase in
        let result = results[middle * phases + phase]
        return TapWeights(first: result.first - 4 * middle, weights: result.weights)
      }
      guard
        phases != 2 || group[1] == TapWeights(first: group[0].first + 2, weights: group[0].weights)
      else { continue }
      let terms =
        switch phases {
        case 1: Self.terms(group[0])
        case 2: Self.pairs(group[0])
        default: group.compactMap(Self.term)
        }
      guard phases < 3 ? terms.count <= 2 : terms.count == phases else { continue }
      (self.phases, self.terms, self.groups) = (phases, terms, groups)
      func weights(_ group: Int) -> [[Int]]? {
        let results = results.dropFirst(max(0, group) * phases).prefix(phases)
        return group >= 0 && results.count == phases
          ? Self.weights(Array(results), from: 4 * group, at: terms) : nil
      }
      (before, after) = (weights(groups.lowerBound - 1), weights(groups.upperBound))
      return
    }
    return nil
  }

  /// The groups around the middle one that have its weights, four samples apart; nil where they
  /// are less than half of all.
  private static func groups(_ results: [TapWeights], phases: Int) -> Range<Int>? {
    let count = results.count / phases
    let middle = results.count / 2 / phases
    guard middle < count else { return nil }
    func follows(_ group: Int) -> Bool {
      (0..<phases).allSatisfy { phase in
        let (result, model) = (results[group * phases + phase], results[middle * phases + phase])
        return result.first == model.first + 4 * (group - middle)
          && result.weights == model.weights
      }
    }
    var (first, last) = (middle, middle + 1)
    while first > 0, follows(first - 1) { first -= 1 }
    while last < count, follows(last) { last += 1 }
    return last - first > 1 && 2 * (last - first) >= count ? first..<last : nil
  }

  /// One term of four taps, where they suffice: from a multiple of four samples on if possible.
  private static func term(_ result: TapWeights) -> Term? {
    let spare = 4 - result.weights.count
    guard spare >= 0 else { return nil }
    let lead = result.first & 3
    let moved = lead <= spare ? lead : 0
    return Term(
      offset: result.first - moved,
      weights: padded(result.weights, before: moved, after: spare - moved))
  }

  /// Terms of two taps for both results of a group, the first of which is given: three taps are the
  /// last ones of two pairs where those begin at even samples.
  private static func pairs(_ result: TapWeights) -> [Term] {
    let moved = result.weights.count.isMultiple(of: 2) ? 0 : result.first & 1
    let taps = result.weights.count + moved
    let weights = padded(result.weights, before: moved, after: taps & 1)
    return stride(from: 0, to: weights.count, by: 2).map { start in
      let pair = weights[start..<start + 2]
      return Term(offset: result.first - moved + start, weights: Array(pair + pair))
    }
  }

  /// Terms for the only result of a group, from a multiple of four samples on.
  private static func terms(_ result: TapWeights) -> [Term] {
    let lead = result.first & 3
    let taps = lead + result.weights.count
    let weights = padded(result.weights, before: lead, after: -taps & 3)
    return stride(from: 0, to: weights.count, by: 4).map { start in
      Term(offset: result.first - lead + start, weights: Array(weights[start..<start + 4]))
    }
  }

  /// The weights that terms at these places need for the results of a group that begins at sample
  /// `start`; nil where some taps lie elsewhere.
  private static func weights(
    _ results: [TapWeights], from start: Int, at terms: [Term]
  ) -> [[Int]]? {
    var weights = terms.map { _ in [0, 0, 0, 0] }
    for (phase, result) in results.enumerated() {
      let own = results.count == 3 ? phase..<phase + 1 : terms.indices
      // Of two results, each has two taps of a term.
      let (width, lead) = results.count == 2 ? (2, 2 * phase) : (4, 0)
      for (tap, weight) in result.weights.enumerated() {
        let place = result.first + tap - start - lead - terms[own.lowerBound].offset
        guard place >= 0, place < width * own.count else { return nil }
        weights[own.lowerBound + place / width][lead + place % width] = weight
      }
    }
    return weights
  }

  private static func padded(_ weights: [Int], before: Int, after: Int) -> [Int] {
    [Int](repeating: 0, count: before) + weights + [Int](repeating: 0, count: after)
  }
}
