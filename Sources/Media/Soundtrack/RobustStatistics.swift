import TesseraTimeline

extension Sequence where Element: AdditiveArithmetic {
  /// The sums of no element, of the first one, of the first two, and so on to the sum of all.
  var runningSums: [Element] {
    var sums = [Element.zero]
    sums.reserveCapacity(underestimatedCount + 1)
    for element in self { sums.append(sums[sums.count - 1] + element) }
    return sums
  }
}

/// Robust statistics: location and spread that a few outliers do not disturb.
enum RobustStatistics {
  /// Returns the upper median; 0 if `values` is empty.
  static func median(_ values: [Double]) -> Double { quantile(0.5, of: values) }

  /// Returns the quantile `fraction` (0 to 1) of `values`; 0 if `values` is empty.
  static func quantile(_ fraction: Double, of values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int(saturating: fraction * Double(sorted.count)))]
  }

  /// Returns a robust standard deviation: the median absolute deviation, scaled to a normal
  /// distribution.
  static func spread(_ values: [Double]) -> Double {
    let middle = median(values)
    return 1.4826 * median(values.map { abs($0 - middle) })
  }

  /// Returns a robust mean (Huber's estimator): values further than 1.5 times `spread` from it are
  /// clamped to that distance.
  static func location(_ values: some Collection<Double>, spread: Double) -> Double {
    let limit = 1.5 * max(spread, 1e-9)
    var middle = median(Array(values))
    for _ in 0..<12 {
      let sum = values.reduce(0.0) { $0 + min(limit, max(-limit, $1 - middle)) }
      let step = sum / Double(max(1, values.count))
      middle += step
      if abs(step) < 0.01 * limit / Double(max(1, values.count)).squareRoot() { break }
    }
    return middle
  }
}
