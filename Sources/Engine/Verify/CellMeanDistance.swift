/// Distances between cell means: the means of composed cells and the means of decoded cells.
enum CellMeanDistance {
  /// Returns the sum of absolute differences of all cells.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Double {
    distance(a, b, 0..<min(a.count, b.count))
  }

  /// Returns the sum of absolute differences of the cells in `range`.
  static func distance(_ a: [UInt8], _ b: [UInt8], _ range: Range<Int>) -> Double {
    var sum = 0
    for index in range { sum += abs(Int(a[index]) - Int(b[index])) }
    return Double(sum)
  }
}
