extension Substring {
  /// True if the text consists of `parts` in this order with any text between them, as a pattern
  /// with wildcards does. Parts are matched greedily from the left, in linear time.
  package func matches(_ parts: [Substring]) -> Bool {
    guard let first = parts.first, let last = parts.last, hasPrefix(first) else { return false }
    guard parts.count > 1 else { return self == first }
    var rest = dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
