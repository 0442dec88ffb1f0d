import Glibc
import TesseraTimeline

/// The noise of a voice's times: one part that is new with every packet, as rounding is, and one
/// that stays for a while, as when a network fills and empties.
///
/// The second is a first-order autoregressive process. How it stands is followed by a Kalman
/// filter, whose gain is that of its steady state.
struct ClockNoise: Equatable {
  /// The standard deviations of both parts, in samples.
  private(set) var (fresh, slow): (Double, Double)
  /// What is left of the slow part after a packet.
  private(set) var memory: Double
  /// The variance of a time around where the filter expects it.
  private(set) var variance = 0.0
  /// How much of a difference from there the filter takes for the slow part.
  private(set) var gain = 0.0

  /// The fresh part is taken for at least 1 ms and each for at most 50 ms.
  private static let range = 48.0...2400.0
  /// How long the slow part lasts where that is not known: 0.4 s.
  private static let usualMemory = 19_200.0
  /// How long it may last: 40 ms to 4 s.
  private static let memories = 1920.0...192_000.0
  /// Over how many samples it shows how far times fall.
  private static let falls = [4800.0, 14_400, 48_000]
  /// Less than that part of the variance is not a slow part.
  private static let leastSlow = 0.04

  /// The standard deviation of both together.
  var spread: Double { (fresh * fresh + slow * slow).squareRoot() }

  private init(fresh: Double, slow: Double, memory: Double) {
    self.fresh = min(max(fresh, Self.range.lowerBound), Self.range.upperBound)
    self.slow = min(slow, Self.range.upperBound)
    self.memory = memory
    let (measured, moved) = (
      self.fresh * self.fresh, self.slow * self.slow * (1 - memory * memory)
    )
    var expected = self.slow * self.slow
    for _ in 0..<64 {
      expected = memory * memory * expected * measured / (expected + measured) + moved
    }
    variance = expected + measured
    gain = expected / variance
  }

  /// How large a part of the packets seems to be missing, by how lags rise from second to second;
  /// 0 where that is no more than clocks differ.
  static func lossRate(_ facts: ClockFacts, slope: Double) -> Double {
    let distance = max(1, Int(saturating: 48_000 / facts.usualLength))
    let most = 24_000.0
    var (rise, length) = (0.0, 0.0)
    for index in stride(from: distance, to: facts.lags.count, by: distance) {
      let samples = facts.counts[index] - facts.counts[index - distance]
      let change = facts.lags[index] - facts.lags[index - distance] - slope * samples
      guard abs(change) < most else { continue }
      rise += change
      length += samples
    }
    return rise > 1.5 * ClockFit.largestDrift * length ? rise / length : 0
  }

  /// What the times of `facts` show before it is known where something is missing: how they change
  /// from one packet to the next, and how far they fall over a while, for gaps only let them rise.
  init(_ facts: ClockFacts, slope: Double) {
    let lags = zip(facts.lags, facts.counts).map { $0 - slope * $1 }
    let kept = exp(-facts.usualLength / Self.usualMemory)
    let fresh =
      Statistics.spread(zip(lags, lags.dropFirst()).map { $1 - $0 }) / 2.0.squareRoot()
    var slow = 0.0
    for length in Self.falls {
      let distance = Int(saturating: length / facts.usualLength)
      guard distance > 1, lags.count > 4 * distance else { continue }
      let changes = (0..<lags.count - distance).map { lags[$0 + distance] - lags[$0] }
      // A tenth of a normal distribution lies below -1.28.
      let fall = max(0, -Statistics.quantile(0.1, of: changes) / 1.28)
      let more = fall * fall / 2 - fresh * fresh
      guard more > Self.leastSlow * fresh * fresh else { continue }
      slow = max(slow, more / (kept - pow(kept, Double(distance))))
    }
    self.init(fresh: fresh, slow: slow.squareRoot(), memory: kept)
  }

  /// What `rests` show, the distances of times from where their packets lie, one after the other,
  /// each as long as `length` samples.
  init(_ rests: [Double], length: Double) {
    /// Half the variance of how rests change over that many packets.
    func change(_ distance: Int) -> Double {
      guard rests.count > 2 * distance else { return 0 }
      let spread = Statistics.spread(
        (0..<rests.count - distance).map { rests[$0 + distance] - rests[$0] })
      return spread * spread / 2
    }
    let distance = max(1, Int(saturating: (2880 / length).rounded()))
    // Over a second and more nothing is alike, and clocks do not drift far.
    let all = max(change(20 * distance), change(1))
    let (near, far) = (all - change(distance), all - change(3 * distance))
    guard near > Self.leastSlow * all else {
      self.init(fresh: all.squareRoot(), slow: 0, memory: 0)
      return
    }
    let kept = min(0.9999, max(1e-3, far / near))
    let span = min(
      Self.memories.upperBound,
      max(Self.memories.lowerBound, -2 * Double(distance) * length / log(kept)))
    let memory = exp(-length / span)
    let slow = min(all, near / exp(-Double(distance) * length / span))
    self.init(fresh: max(0, all - slow).squareRoot(), slow: slow.squareRoot(), memory: memory)
  }

  /// Whether it is about the same as `other`.
  func isLike(_ other: ClockNoise) -> Bool {
    abs(fresh - other.fresh) < 0.1 * fresh && abs(slow - other.slow) < 0.15 * spread
  }
}
