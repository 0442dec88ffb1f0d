import TesseraTimeline

/// What is usual among numbers, whatever a few of them are.
enum Statistics {
  /// The median, the upper one of two; 0 of none.
  static func median(_ values: [Double]) -> Double { quantile(0.5, of: values) }

  /// The value that the part `fraction` of them lies below; 0 of none.
  static func quantile(_ fraction: Double, of values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int(saturating: fraction * Double(sorted.count)))]
  }

  /// The standard deviation that a normal distribution with the same median distance from the
  /// median would have.
  static func spread(_ values: [Double]) -> Double {
    let middle = median(values)
    return 1.4826 * median(values.map { abs($0 - middle) })
  }

  /// The mean with far values held back (Huber's estimator): those further than 1.5 times
  /// `spread` from it count as if they lay there.
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
