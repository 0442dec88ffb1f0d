extension Array {
  /// The first index whose element satisfies `belongsToSecondPart`, in an array where all that
  /// follow it do too; the count where none does.
  package func partitioningIndex(where belongsToSecondPart: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if belongsToSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
