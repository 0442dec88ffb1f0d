extension Array {
  /// Returns the first index whose element satisfies `belongsToSecondPart`, by binary search; the
  /// count if there is none. All elements after such an element have to satisfy it, too.
  package func partitioningIndex(where belongsToSecondPart: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if belongsToSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
