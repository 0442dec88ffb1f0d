import Glibc
import TesseraTimeline

/// A joint search for missing packets, timestamp noise and clock drift.
///
/// Each of the three is estimated from the current values of the others, in turns. The search
/// starts once without drift and once with the slope that the timestamps have at first sight; the
/// likelier result wins. So a slope that lost packets explain better is not taken for drift.
struct LossAndDriftSearch {
  /// The voice's timestamps and sample counts, with missing packets counted among the samples.
  private(set) var facts: TimestampLags
  /// The parts of the voice, between which the number of missing samples is unknown.
  private(set) var parts: [Range<Int>]
  /// The indices of the facts, within parts, before which whole packets are missing.
  private(set) var losses: [Int]
  /// The common drift of all parts.
  private(set) var drift: ClockDrift
  /// The negative log-likelihood, doubled.
  private let cost: Double

  /// The largest number of estimation rounds.
  private static let mostRounds = 5
  /// The largest plausible drift if the number of missing packets is uncertain.
  private static let usualSlope = 5e-4
  /// The total number of packets by which a count of losses may be wrong.
  private static let mostMiscounted = 3.0
  /// The smallest slope at first sight that is worth a search of its own.
  private static let smallestSlope = 5e-4

  /// Finds the likeliest explanation of `facts`.
  static func best(_ facts: TimestampLags) -> LossAndDriftSearch {
    var usual = settled(facts, from: 0, isFollowed: false)
    let atFirstSight = commonSlope(of: facts)
    let ownSlope = usual.drift.slope
    var slopes = ownSlope == 0 ? [] : [ownSlope]
    if abs(atFirstSight) > smallestSlope, abs(atFirstSight) < 2 { slopes.append(atFirstSight) }
    usual.drift.ignore()
    let others = slopes.map { settled(facts, from: $0, isFollowed: true) }
    guard let best = others.filter(\.isPossible).min(by: { $0.cost < $1.cost }) else {
      return usual
    }
    let proof = ClockDrift.significance * best.drift.inflation
    let isProven = best.isCertain || best.isConfirmed(by: ownSlope)
    let least = isProven ? -Double(facts.lags.count) * LagStepFinder.coarseness : proof * proof
    return best.cost < usual.cost - least ? best : usual
  }

  /// True if a search without losses finds about the slope ``drift`` has, and the slope exceeds
  /// what a few wrongly counted packets may cause.
  private func isConfirmed(by slope: Double) -> Bool {
    guard let packet = facts.packetLength, let first = facts.counts.first,
      let last = facts.counts.last
    else { return false }
    return abs(slope - drift.slope) <= 3 * drift.uncertainty
      && abs(drift.slope) * (last - first) >= Self.mostMiscounted * packet
  }

  /// True if the timestamps determine the number of missing packets well enough that a miscounted
  /// packet cannot look like drift.
  var isCertain: Bool {
    losses.isEmpty && parts.count == 1 || noise < 0.5
  }

  /// The standard deviation of rows of timestamps, in packets.
  private var noise: Double {
    drift.spread * drift.inflation / (facts.packetLength ?? facts.usualLength)
  }

  /// True if the number of missing packets is certain enough to let lines bend.
  var mayBend: Bool { isCertain && (losses.isEmpty || noise < 0.125) }

  /// Iterates noise, losses and drift from the slope `first` until they settle.
  ///
  /// If `isFollowed`, each round uses the drift of the previous one; otherwise the slope stays
  /// `first`.
  private static func settled(
    _ facts: TimestampLags, from first: Double, isFollowed: Bool
  ) -> LossAndDriftSearch {
    let limit = max(VoiceClockFit.largestDrift, abs(first))
    var (slope, noise) = (first, TimestampNoise(facts, slope: first))
    let rare = exp(LagStepFinder.rareStep / 2)
    let oneIn = min(rare, 1 / max(1e-9, TimestampNoise.lossRate(facts, slope: first)))
    var found = LossAndDriftSearch(facts, slope, noise, oneIn: oneIn, oneGapIn: rare)
    for _ in 1..<mostRounds {
      let next = isFollowed ? found.drift.slope : slope
      let nextNoise = TimestampNoise(found.rests, length: facts.usualLength)
      let isSame = abs(next - slope) < max(1e-6, found.drift.uncertainty)
      guard abs(next) <= limit, !isSame || !nextNoise.isLike(noise) || found.isUnsettled
      else { break }
      (slope, noise) = (next, nextNoise)
      let count = found.losses.count
      let all = Double(facts.lags.count)
      found = LossAndDriftSearch(
        facts, slope, noise, oneIn: all / Double(count + 1),
        oneGapIn: all / Double(found.parts.count))
      found.isUnsettled = abs(found.losses.count - count) > count / 20
    }
    return found
  }

  /// True if a clock may have this drift, or if the timestamps change so evenly, or fall, that lost
  /// packets cannot explain it.
  private var isPossible: Bool {
    if !isCertain { return abs(drift.slope) <= Self.usualSlope }
    return abs(drift.slope) <= VoiceClockFit.largestDrift || drift.slope < 0
      || drift.spread < (facts.packetLength ?? facts.usualLength) / 10
  }

  /// The residuals of all timestamps.
  private var rests: [Double] = []
  /// True if the number of losses still changes between rounds.
  private var isUnsettled: Bool

  private init(
    _ facts: TimestampLags, _ slope: Double, _ noise: TimestampNoise, oneIn: Double,
    oneGapIn: Double
  ) {
    let segments = LagStepFinder(
      facts, slope: slope, noise: noise, oneIn: oneIn, oneGapIn: oneGapIn)
    self.facts = facts.counting(segments.beginnings)
    let starts = segments.beginnings.filter { $0.packets == nil }.map(\.fact)
    parts = zip(starts, starts.dropFirst() + [facts.lags.count]).map { $0..<$1 }
    losses = segments.beginnings.filter { $0.packets != nil }.map(\.fact)
    drift = ClockDrift(self.facts, parts)
    (rests, cost) = (segments.rests, segments.cost)
    isUnsettled = !losses.isEmpty
  }

  /// Returns the median slope over stretches of a second.
  private static func commonSlope(of facts: TimestampLags) -> Double {
    let distance = max(1, Int(saturating: 48_000 / facts.usualLength))
    let count = facts.counts.count - distance
    guard count > 0 else { return 0 }
    return RobustStatistics.median(
      (0..<count).map { index in
        let length = facts.counts[index + distance] - facts.counts[index]
        return length > 0 ? (facts.lags[index + distance] - facts.lags[index]) / length : 0
      })
  }
}

extension TimestampLags {
  /// Returns the facts with missing packets counted among the samples.
  fileprivate func counting(_ beginnings: [LagStepFinder.SegmentStart]) -> TimestampLags {
    guard let packetLength, beginnings.contains(where: { $0.packets != nil }) else { return self }
    var (facts, missing, next) = (self, 0.0, 0)
    for index in lags.indices {
      if next < beginnings.count, beginnings[next].fact == index {
        missing += packetLength * Double(beginnings[next].packets ?? 0)
        next += 1
      }
      facts.move(index, by: missing)
    }
    return facts
  }
}
