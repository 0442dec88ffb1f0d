import Glibc
import TesseraTimeline

/// Finds together what can only be known together: where packets are missing, how much times are
/// noise, and by how much the clock differs.
///
/// Each of them is found by what the others are taken for, in turns, from no difference on and from
/// the slope that the times have at first sight; the likelier result counts. So a slope that lost
/// packets explain better is none.
struct ClockSearch {
  /// The facts, what is missing counted among the samples.
  private(set) var facts: ClockFacts
  /// The parts of the voice, between which it is not known how much is missing.
  private(set) var parts: [Range<Int>]
  /// The facts before which whole packets are missing, within parts.
  private(set) var losses: [Int]
  /// The drift of all parts.
  private(set) var drift: ClockDrift
  private let cost: Double

  private static let mostRounds = 5
  /// Where it is not certain how much is missing, clocks differ by no more than that.
  private static let usualSlope = 5e-4
  /// So many packets may be counted too often, or not, all together.
  private static let mostMiscounted = 3.0
  /// Slopes at first sight that are less make no difference.
  private static let smallestSlope = 5e-4

  /// What is most likely of `facts`.
  static func best(_ facts: ClockFacts) -> ClockSearch {
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
    let least = isProven ? -Double(facts.lags.count) * ClockSegments.coarseness : proof * proof
    return best.cost < usual.cost - least ? best : usual
  }

  /// Whether the slope is the same where packets are missing by a search that knows of none, and is
  /// more than a few packets that were counted wrongly.
  private func isConfirmed(by slope: Double) -> Bool {
    guard let packet = facts.packetLength, let first = facts.counts.first,
      let last = facts.counts.last
    else { return false }
    return abs(slope - drift.slope) <= 3 * drift.uncertainty
      && abs(drift.slope) * (last - first) >= Self.mostMiscounted * packet
  }

  /// Whether times say well enough how many packets are missing that a slope is not one more, or
  /// one less, now and then.
  var isCertain: Bool {
    losses.isEmpty && parts.count == 1 || noise < 0.5
  }

  /// How far rows of times are from where they belong, in packets.
  private var noise: Double {
    drift.spread * drift.inflation / (facts.packetLength ?? facts.usualLength)
  }

  /// Whether it is certain enough where lines go that they may have bends.
  var mayBend: Bool { isCertain && (losses.isEmpty || noise < 0.125) }

  /// What is likely where the clock differs by `first`, or by what comes of that where it
  /// `isFollowed`.
  private static func settled(
    _ facts: ClockFacts, from first: Double, isFollowed: Bool
  ) -> ClockSearch {
    let limit = max(ClockFit.largestDrift, abs(first))
    var (slope, noise) = (first, ClockNoise(facts, slope: first))
    let rare = exp(ClockSegments.rareStep / 2)
    let oneIn = min(rare, 1 / max(1e-9, ClockNoise.lossRate(facts, slope: first)))
    var found = ClockSearch(facts, slope, noise, oneIn: oneIn, oneGapIn: rare)
    for _ in 1..<mostRounds {
      let next = isFollowed ? found.drift.slope : slope
      let nextNoise = ClockNoise(found.rests, length: facts.usualLength)
      let isSame = abs(next - slope) < max(1e-6, found.drift.uncertainty)
      guard abs(next) <= limit, !isSame || !nextNoise.isLike(noise) || found.isUnsettled
      else { break }
      (slope, noise) = (next, nextNoise)
      let count = found.losses.count
      let all = Double(facts.lags.count)
      found = ClockSearch(
        facts, slope, noise, oneIn: all / Double(count + 1),
        oneGapIn: all / Double(found.parts.count))
      found.isUnsettled = abs(found.losses.count - count) > count / 20
    }
    return found
  }

  /// Whether a clock may differ so, or else times rise so evenly, or fall, that no loss of packets
  /// explains it.
  private var isPossible: Bool {
    if !isCertain { return abs(drift.slope) <= Self.usualSlope }
    return abs(drift.slope) <= ClockFit.largestDrift || drift.slope < 0
      || drift.spread < (facts.packetLength ?? facts.usualLength) / 10
  }

  private var rests: [Double] = []
  private var isUnsettled: Bool

  private init(
    _ facts: ClockFacts, _ slope: Double, _ noise: ClockNoise, oneIn: Double, oneGapIn: Double
  ) {
    let segments = ClockSegments(
      facts, slope: slope, noise: noise, oneIn: oneIn, oneGapIn: oneGapIn)
    self.facts = facts.counting(segments.beginnings)
    let starts = segments.beginnings.filter { $0.packets == nil }.map(\.fact)
    parts = zip(starts, starts.dropFirst() + [facts.lags.count]).map { $0..<$1 }
    losses = segments.beginnings.filter { $0.packets != nil }.map(\.fact)
    drift = ClockDrift(self.facts, parts)
    (rests, cost) = (segments.rests, segments.cost)
    isUnsettled = !losses.isEmpty
  }

  /// The median slope over stretches of a second.
  private static func commonSlope(of facts: ClockFacts) -> Double {
    let distance = max(1, Int(saturating: 48_000 / facts.usualLength))
    let count = facts.counts.count - distance
    guard count > 0 else { return 0 }
    return Statistics.median(
      (0..<count).map { index in
        let length = facts.counts[index + distance] - facts.counts[index]
        return length > 0 ? (facts.lags[index + distance] - facts.lags[index]) / length : 0
      })
  }
}

extension ClockFacts {
  /// The facts with the packets that are missing counted.
  fileprivate func counting(_ beginnings: [ClockSegments.Beginning]) -> ClockFacts {
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
