import TesseraTimeline

/// The clock drift of a voice: one slope of lag over sample count for all of its parts.
struct ClockDrift {
  /// The slope of the lags, and the slope's standard deviation.
  private(set) var (slope, uncertainty) = (0.0, 0.0)
  /// The standard deviation of the noise around the lines, in samples.
  private(set) var spread = 0.0
  /// The factor by which autocorrelated noise raises ``uncertainty`` above that of independent
  /// noise.
  private(set) var inflation = 1.0

  /// The number of standard deviations by which a slope has to exceed noise.
  static let significance = 4.0
  /// The smallest drift from the beginning to the end of a part that counts, in samples: 1 ms.
  private static let smallest = 48.0
  /// The longest duration of correlated noise, in samples: 4 s.
  private static let longestNoise = 192_000.0
  /// The range of timestamp noise in samples. Browsers deliver sound in blocks of 10 ms, and
  /// timestamps may be late or early by one block.
  private static let steadyNoise = 960.0
  /// The least number of rows from which a scatter is estimated.
  private static let fewestRows = 10

  /// Fits the common slope of `parts` by iteratively reweighted least squares, with outliers held
  /// back. ``slope`` is 0 if it is not significant.
  init(_ facts: TimestampLags, _ parts: [Range<Int>]) {
    var rests: [Double] = []
    for _ in 0..<8 {
      rests.removeAll(keepingCapacity: true)
      rests.reserveCapacity(facts.lags.count)
      for part in parts {
        let lags = part.map { facts.lags[$0] - slope * facts.counts[$0] }
        let middle =
          spread > 0
          ? RobustStatistics.location(lags, spread: spread) : RobustStatistics.median(lags)
        for lag in lags { rests.append(lag - middle) }
      }
      spread = max(1, 1.4826 * RobustStatistics.median(rests.map { abs($0) }))
      var (product, square) = (0.0, 0.0)
      for part in parts { addMoments(of: part, facts, rests, &product, &square) }
      guard square > 0 else { break }
      let change = product / square
      slope += change
      uncertainty = spread / square.squareRoot()
      if abs(change) < 0.1 * uncertainty { break }
    }
    inflation = inflation(of: rests, facts)
    uncertainty *= inflation
    let longest =
      parts.map { facts.counts[$0.upperBound - 1] - facts.counts[$0.lowerBound] }.max() ?? 0
    if abs(slope) * longest < Self.smallest || abs(slope) < Self.significance * uncertainty
      || abs(slope) < doubtfulSlope(facts, parts)
    {
      slope = 0
    }
  }

  /// Sets ``slope`` to 0 and keeps the noise estimates.
  mutating func ignore() { slope = 0 }

  /// Returns the largest slope that may be noise: persistent noise, or a slope that steps between
  /// parts reverse.
  ///
  /// In Chromium, timestamps climb for 5 s and then fall by 10 ms. No clock does this, and losses
  /// are whole packets.
  private func doubtfulSlope(_ facts: TimestampLags, _ parts: [Range<Int>]) -> Double {
    let length = max(1, (facts.counts.last ?? 0) - (facts.counts.first ?? 0))
    let rests = parts.map { $0.map { facts.lags[$0] - slope * facts.counts[$0] } }
    let levels = rests.map { RobustStatistics.location($0, spread: spread) }
    let longest = (facts.packetLength ?? facts.usualLength) / 2
    let steps = zip(levels.dropFirst(), levels).map { $0 - $1 }
      .filter { $0 * slope < 0 && abs($0) < longest }
    return max(
      Self.steadyNoise / max(1, length / Self.longestNoise).squareRoot(),
      2 * abs(steps.reduce(0, +))) / length
  }

  /// Computes ``inflation``: the scatter of means over rows of residuals relative to independent
  /// residuals. The largest value over all row lengths with enough rows counts.
  private func inflation(of rests: [Double], _ facts: TimestampLags) -> Double {
    let limit = 6 * spread
    let sums = rests.lazy.map { min(limit, max(-limit, $0)) }.runningSums
    let longest = min(
      Int(saturating: Self.longestNoise / facts.usualLength), rests.count / Self.fewestRows)
    var (count, most) = (2, 1.0)
    while count <= longest {
      let totals = stride(from: 0, through: rests.count - count, by: count).map { start in
        sums[start + count] - sums[start]
      }
      // Differences from row to row do not count a slowly changing clock as noise.
      let changes = zip(totals, totals.dropFirst()).reduce(0.0) {
        $0 + ($1.1 - $1.0) * ($1.1 - $1.0)
      }
      let power = changes / Double(2 * (totals.count - 1) * count)
      most = max(most, power.squareRoot() / spread)
      count *= 2
    }
    return most
  }

  /// Adds the weighted moments of one part to the normal equation.
  private func addMoments(
    of range: Range<Int>, _ facts: TimestampLags, _ rests: [Double], _ product: inout Double,
    _ square: inout Double
  ) {
    var (weights, countSum, restSum) = (0.0, 0.0, 0.0)
    let weight = { (rest: Double) in
      abs(rest) > 6 * spread ? 0 : min(1, 1.5 * spread / max(abs(rest), 1e-9))
    }
    for index in range {
      let weight = weight(rests[index])
      weights += weight
      countSum += weight * facts.counts[index]
      restSum += weight * rests[index]
    }
    guard weights > 0 else { return }
    let (middle, rest) = (countSum / weights, restSum / weights)
    for index in range {
      let (weight, distance) = (weight(rests[index]), facts.counts[index] - middle)
      product += weight * distance * (rests[index] - rest)
      square += weight * distance * distance
    }
  }
}
