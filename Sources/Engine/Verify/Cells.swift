/// Means of cells, as they are measured and as they should be.
enum Cells {
  /// The sum of their differences.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Double {
    distance(a, b, 0..<min(a.count, b.count))
  }

  /// The sum of the differences of those in `range`.
  static func distance(_ a: [UInt8], _ b: [UInt8], _ range: Range<Int>) -> Double {
    var sum = 0
    for index in range { sum += abs(Int(a[index]) - Int(b[index])) }
    return Double(sum)
  }
}
