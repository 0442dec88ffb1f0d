import Glibc
import TesseraTimeline

/// The noise model of a voice's timestamps: a white part, such as rounding, and a correlated part,
/// such as filling and draining network queues.
///
/// The correlated part is a first-order autoregressive process. A Kalman filter with its
/// steady-state gain tracks the process.
struct TimestampNoise: Equatable {
  /// The standard deviations of the white and the correlated part, in samples.
  private(set) var (fresh, slow): (Double, Double)
  /// The autoregression coefficient: the share of the correlated part that remains after a packet.
  private(set) var memory: Double
  /// The variance of the filter's prediction error, in squared samples.
  private(set) var variance = 0.0
  /// The filter's gain: the share of a prediction error that is attributed to the correlated part.
  private(set) var gain = 0.0

  /// The limits of the noise, in samples: at least 1 ms for the white part, at most 50 ms for each
  /// part.
  private static let range = 48.0...2400.0
  /// The assumed time constant of the correlated part, in samples: 0.4 s.
  private static let usualMemory = 19_200.0
  /// The range of the correlated part's time constant, in samples: 40 ms to 4 s.
  private static let memories = 1920.0...192_000.0
  /// The distances over which falling timestamps are measured, in samples.
  private static let falls = [4800.0, 14_400, 48_000]
  /// The least share of the variance that counts as a correlated part.
  private static let leastSlow = 0.04

  /// The standard deviation of both parts together, in samples.
  var spread: Double { (fresh * fresh + slow * slow).squareRoot() }

  /// Creates a model from clamped parameters and computes the filter's steady state.
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

  /// Estimates the share of missing packets from the rise of lags over a second. Returns 0 if clock
  /// drift alone may explain the rise.
  static func lossRate(_ facts: TimestampLags, slope: Double) -> Double {
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
    return rise > 1.5 * VoiceClockFit.largestDrift * length ? rise / length : 0
  }

  /// Estimates the noise before it is known where samples are missing.
  ///
  /// The white part comes from changes between neighboring packets, the correlated part from how
  /// far lags fall over a while. Gaps only make lags rise, so they do not disturb the estimate.
  init(_ facts: TimestampLags, slope: Double) {
    let lags = zip(facts.lags, facts.counts).map { $0 - slope * $1 }
    let kept = exp(-facts.usualLength / Self.usualMemory)
    let fresh =
      RobustStatistics.spread(zip(lags, lags.dropFirst()).map { $1 - $0 }) / 2.0.squareRoot()
    var slow = 0.0
    for length in Self.falls {
      let distance = Int(saturating: length / facts.usualLength)
      guard distance > 1, lags.count > 4 * distance else { continue }
      let changes = (0..<lags.count - distance).map { lags[$0 + distance] - lags[$0] }
      // The first decile of a normal distribution is at -1.28 standard deviations.
      let fall = max(0, -RobustStatistics.quantile(0.1, of: changes) / 1.28)
      let more = fall * fall / 2 - fresh * fresh
      guard more > Self.leastSlow * fresh * fresh else { continue }
      slow = max(slow, more / (kept - pow(kept, Double(distance))))
    }
    self.init(fresh: fresh, slow: slow.squareRoot(), memory: kept)
  }

  /// Estimates the noise from `rests`, the residuals of consecutive timestamps at distances of
  /// `length` samples.
  init(_ rests: [Double], length: Double) {
    /// Returns half the variance of the change of residuals over `distance` packets.
    func change(_ distance: Int) -> Double {
      guard rests.count > 2 * distance else { return 0 }
      let spread = RobustStatistics.spread(
        (0..<rests.count - distance).map { rests[$0 + distance] - rests[$0] })
      return spread * spread / 2
    }
    let distance = max(1, Int(saturating: (2880 / length).rounded()))
    // Over a second and more, noise is uncorrelated and clocks do not drift far.
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

  /// True if the model is about equal to `other`.
  func isLike(_ other: TimestampNoise) -> Bool {
    abs(fresh - other.fresh) < 0.1 * fresh && abs(slow - other.slow) < 0.15 * spread
  }
}
