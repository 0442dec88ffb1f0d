extension Sequence {
  /// Returns the elements sorted by `key`. Equal keys keep their order, which `sorted` does not
  /// promise.
  func stablySorted(by key: (Element) -> some Comparable) -> [Element] {
    let elements = Array(self)
    // The elements are mostly sorted already, and they may be large.
    guard zip(elements, elements.dropFirst()).contains(where: { key($0) > key($1) }) else {
      return elements
    }
    return elements.enumerated().map { (key: key($1), offset: $0, element: $1) }
      .sorted { ($0.key, $0.offset) < ($1.key, $1.offset) }
      .map(\.element)
  }
}
