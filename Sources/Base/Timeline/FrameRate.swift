/// A constant frame rate of `numerator / denominator` frames per second, both positive, as a
/// reduced fraction.
public struct FrameRate: Hashable, Sendable {
  /// The number of frames in ``denominator`` seconds.
  public let numerator: Int
  /// The number of seconds in which ``numerator`` frames pass.
  public let denominator: Int

  /// The highest accepted rate, in frames per second.
  package static let maximum = 240

  /// Creates the rate `numerator / denominator`; `nil` unless it is above 0 and at most
  /// ``maximum``, with a denominator of at most a million.
  public init?(_ numerator: Int, _ denominator: Int = 1) {
    guard numerator > 0, denominator > 0, denominator <= 1_000_000,
      numerator <= Self.maximum * denominator
    else { return nil }
    let divisor = numerator.greatestCommonDivisor(denominator)
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  private init(reduced numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The rate of 30 frames per second.
  public static let thirty = FrameRate(reduced: 30, 1)

  /// Returns the first frame that shows a picture with time `time`.
  ///
  /// Frame k shows the last picture whose time is below (k + ½) / rate. So the result is the
  /// smallest k with `time` < (k + ½) / rate, which is `time` · rate rounded half-up. It is
  /// negative for times more than half a frame before zero.
  package func firstFrame(showing time: MediaTime) -> Int {
    let scaled = Int128(time.nanoseconds) * Int128(numerator)
    let divisor = Int128(denominator) * Int128(MediaTime.nanosecondsPerSecond)
    return Int(scaled.dividedRoundingHalfUp(by: divisor))
  }

  /// Returns the first frame that begins at or after `time`.
  package func firstFrame(at time: MediaTime) -> Int {
    let nearest = firstFrame(showing: time)
    return self.time(ofFrame: nearest) < time ? nearest + 1 : nearest
  }

  /// Returns the frames, from 0 on, that show pictures with times in `interval`; at least one
  /// frame.
  package func frames(showing interval: TimeRange) -> Range<Int> {
    let first = max(0, firstFrame(showing: interval.start))
    return first..<max(first +| 1, firstFrame(showing: interval.end))
  }

  /// Returns the time at which frame `frame` begins, rounded half-up to a nanosecond.
  public func time(ofFrame frame: Int) -> MediaTime {
    let scaled = Int128(frame) * Int128(denominator) * Int128(MediaTime.nanosecondsPerSecond)
    return MediaTime(nanoseconds: Int64(scaled.dividedRoundingHalfUp(by: Int128(numerator))))
  }

  /// Returns the number of frames in a timeline of `duration`, rounded half-up, at least 1.
  package func frameCount(of duration: MediaTime) -> Int {
    max(1, firstFrame(showing: duration))
  }

  /// Returns the number of samples at `sampleRate` before frame `frame`, rounded half-up.
  package func sample(ofFrame frame: Int, sampleRate: Int) -> Int64 {
    let scaled = Int128(frame) * Int128(denominator) * Int128(sampleRate)
    return Int64(scaled.dividedRoundingHalfUp(by: Int128(numerator)))
  }
}

extension FrameRate: LosslessStringConvertible {
  /// The whole rates whose NTSC form (1000/1001 of the rate) is usually written as a decimal.
  private static let ntscRates = [24, 30, 48, 60, 120, 240]

  /// Parses `30`, `12.5`, `30000/1001` or `29.97`.
  ///
  /// A decimal that is an NTSC rate rounded to two or more digits (23.976, 29.97, 59.94) means that
  /// rate. Any other decimal is exact. Returns `nil` for any other text.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let numerator = Int(digits: parts[0]), let denominator = Int(digits: parts[1])
      else { return nil }
      self.init(numerator, denominator)
      return
    }
    let decimal = description.split(separator: ".", omittingEmptySubsequences: false)
    guard decimal.count <= 2, let whole = Int(digits: decimal[0]), whole <= Self.maximum
    else { return nil }
    guard decimal.count == 2 else {
      self.init(whole)
      return
    }
    guard decimal[1].count <= 6, let fraction = Int(digits: decimal[1]) else { return nil }
    let scale = (0..<decimal[1].count).reduce(1) { scale, _ in scale * 10 }
    let scaled = whole * scale + fraction
    let ntsc = Self.ntscRates.first { rate in
      scale >= 100
        && Int128(rate * 1000 * scale).dividedRoundingHalfUp(by: 1001) == Int128(scaled)
    }
    if let ntsc { self.init(ntsc * 1000, 1001) } else { self.init(scaled, scale) }
  }

  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}

extension FrameRate: TextCodable {
  public static var textForm: String { "a frame rate" }
}
