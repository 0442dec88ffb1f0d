package import TesseraMessages

extension Array where Element == String {
  /// Joins the strings as in a sentence: "a, b and c". If there are more than `most`, the rest is
  /// counted: "a, b and 4 more".
  package func listed(most: Int) -> String {
    map { UserMessage($0) }.listed(most: most).description
  }
}

extension [UserMessage] {
  /// Joins the messages as in a sentence; see the method for strings.
  package func listed(most: Int) -> UserMessage {
    guard count > 1, let last else { return first ?? "" }
    let isWhole = count <= most
    let listed = self[..<(isWhole ? count - 1 : most - 1)]
    return
      "\(listed.joined(separator: ", ")) and \(isWhole ? last : "\(count - listed.count) more")"
  }
}
