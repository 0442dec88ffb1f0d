import TesseraTimeline

/// By how much a voice's clock differs from its times: one slope for all of its parts.
struct ClockDrift {
  /// The slope of the lags, and its standard deviation.
  private(set) var (slope, uncertainty) = (0.0, 0.0)
  /// The standard deviation of the noise around the lines.
  private(set) var spread = 0.0
  /// How much less certain than new noise the noise makes them that stays for a while, as a factor.
  private(set) var inflation = 1.0

  /// A slope has to stand out that many standard deviations from noise.
  static let significance = 4.0
  /// Less than that, 1 ms from the beginning to the end of a part, is not drift.
  private static let smallest = 48.0
  /// Noise that stays for longer than that, 4 s, is none.
  private static let longestNoise = 192_000.0
  /// Browsers pass on sound in blocks of 10 ms, and their times may be late or early by one.
  private static let steadyNoise = 960.0
  /// The scatter of fewer rows says little.
  private static let fewestRows = 10

  /// The slope that `parts` of `facts` share, by weighted least squares, far values held back; 0
  /// where it does not stand out.
  init(_ facts: ClockFacts, _ parts: [Range<Int>]) {
    var rests: [Double] = []
    for _ in 0..<8 {
      rests.removeAll(keepingCapacity: true)
      rests.reserveCapacity(facts.lags.count)
      for part in parts {
        let lags = part.map { facts.lags[$0] - slope * facts.counts[$0] }
        let middle =
          spread > 0 ? Statistics.location(lags, spread: spread) : Statistics.median(lags)
        for lag in lags { rests.append(lag - middle) }
      }
      spread = max(1, 1.4826 * Statistics.median(rests.map { abs($0) }))
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

  /// The same fit of a clock that does not differ.
  mutating func ignore() { slope = 0 }

  /// The slope that noise may have which stays for as long as noise can, or that steps between
  /// parts take back: Chromium's times climb for 5 s, then fall by 10 ms. No clock does so, and what
  /// is lost is whole packets.
  private func doubtfulSlope(_ facts: ClockFacts, _ parts: [Range<Int>]) -> Double {
    let length = max(1, (facts.counts.last ?? 0) - (facts.counts.first ?? 0))
    let rests = parts.map { $0.map { facts.lags[$0] - slope * facts.counts[$0] } }
    let levels = rests.map { Statistics.location($0, spread: spread) }
    let longest = (facts.packetLength ?? facts.usualLength) / 2
    let steps = zip(levels.dropFirst(), levels).map { $0 - $1 }
      .filter { $0 * slope < 0 && abs($0) < longest }
    return max(
      Self.steadyNoise / max(1, length / Self.longestNoise).squareRoot(),
      2 * abs(steps.reduce(0, +))) / length
  }

  /// By how much more the means of rows of rests scatter than if every rest were new: of rows of
  /// any length for which there are enough of them.
  private func inflation(of rests: [Double], _ facts: ClockFacts) -> Double {
    let limit = 6 * spread
    var sums = [0.0]
    sums.reserveCapacity(rests.count + 1)
    for rest in rests { sums.append(sums[sums.count - 1] + min(limit, max(-limit, rest))) }
    let longest = min(
      Int(saturating: Self.longestNoise / facts.usualLength), rests.count / Self.fewestRows)
    var (count, most) = (2, 1.0)
    while count <= longest {
      let totals = stride(from: 0, through: rests.count - count, by: count).map { start in
        sums[start + count] - sums[start]
      }
      // From one to the next, so that a clock that changes slowly is not noise.
      let changes = zip(totals, totals.dropFirst()).reduce(0.0) {
        $0 + ($1.1 - $1.0) * ($1.1 - $1.0)
      }
      let power = changes / Double(2 * (totals.count - 1) * count)
      most = max(most, power.squareRoot() / spread)
      count *= 2
    }
    return most
  }

  private func addMoments(
    of range: Range<Int>, _ facts: ClockFacts, _ rests: [Double], _ product: inout Double,
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
