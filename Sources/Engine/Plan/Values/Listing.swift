extension Array where Element == String {
  /// The strings as a sentence lists them: "a, b and c", and of more than `most` the first ones and
  /// how many follow, "a, b and 4 more".
  package func listed(most: Int) -> String {
    guard count > 1, let last else { return first ?? "" }
    let isWhole = count <= most
    let listed = isWhole ? self[..<(count - 1)] : self[..<(most - 1)]
    return listed.joined(separator: ", ")
      + " and \(isWhole ? last : "\(count - listed.count) more")"
  }
}
