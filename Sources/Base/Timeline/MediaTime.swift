/// A point on a timeline, or the distance between two, in whole nanoseconds.
///
/// 2^63 ns are 292 years: sums of real recordings' times fit, and others end there. What comes from
/// a file goes through ``init(ticks:timeBase:)``, which refuses what does not fit.
public struct MediaTime: Hashable, Sendable {
  /// The time in nanoseconds.
  public var nanoseconds: Int64

  /// The time that many nanoseconds after zero.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The time that many whole seconds after zero.
  public init(seconds: Int) {
    self.nanoseconds = Int64(seconds) *| Self.nanosecondsPerSecond
  }

  /// The time at `ticks` of a stream's time base, rounded half-up to a nanosecond; nil where it
  /// lies more than a hundred years from zero or the time base is not positive.
  package init?(ticks: Int64, timeBase: Ratio) {
    guard timeBase.numerator > 0, timeBase.denominator > 0 else { return nil }
    let scaled = Int128(ticks) * Int128(timeBase.numerator) *| Int128(Self.nanosecondsPerSecond)
    let rounded = scaled.dividedRoundingHalfUp(by: Int128(timeBase.denominator))
    guard rounded.magnitude < UInt128(Self.bound) else { return nil }
    self.nanoseconds = Int64(rounded)
  }

  /// The nearest tick of a time base, half-up; 0 where its numbers are not positive.
  package func ticks(timeBase: Ratio) -> Int64 {
    guard timeBase.numerator > 0, timeBase.denominator > 0 else { return 0 }
    let scaled = Int128(nanoseconds) * Int128(timeBase.denominator)
    let divisor = Int128(timeBase.numerator) * Int128(Self.nanosecondsPerSecond)
    return Int64(clamping: scaled.dividedRoundingHalfUp(by: divisor))
  }

  /// The start of a timeline.
  public static let zero = MediaTime(nanoseconds: 0)

  static let nanosecondsPerSecond: Int64 = 1_000_000_000
  /// A hundred leap years.
  static let bound: Int64 = 3_162_240_000 *| nanosecondsPerSecond

  /// The time in seconds, for messages and reports only: it is not exact.
  public var seconds: Double { Double(nanoseconds) / Double(Self.nanosecondsPerSecond) }

  /// The index of the sample that lies nearest to this time at `rate` samples a second, half-up.
  package func sample(atRate rate: Int) -> Int64 {
    let scaled = Int128(nanoseconds) * Int128(rate)
    return Int64(clamping: scaled.dividedRoundingHalfUp(by: Int128(Self.nanosecondsPerSecond)))
  }

  /// The time of sample number `sample` at `rate` samples a second, rounded half-up.
  public init(sample: Int64, rate: Int) {
    let scaled = Int128(sample) * Int128(Self.nanosecondsPerSecond)
    self.nanoseconds = Int64(
      clamping: scaled.dividedRoundingHalfUp(by: max(1, Int128(rate))))
  }
}

extension MediaTime: Comparable {
  public static func < (a: MediaTime, b: MediaTime) -> Bool { a.nanoseconds < b.nanoseconds }
}

extension MediaTime: AdditiveArithmetic {
  public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds +| b.nanoseconds)
  }

  public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: a.nanoseconds -| b.nanoseconds)
  }
}

extension MediaTime {
  /// So many times as long, rounded half-up; the ratio's numbers are positive.
  package static func * (time: MediaTime, factor: Ratio) -> MediaTime {
    let scaled = Int128(time.nanoseconds) * Int128(factor.numerator)
    return MediaTime(
      nanoseconds: Int64(
        clamping: scaled.dividedRoundingHalfUp(by: Int128(factor.denominator))))
  }
}

extension MediaTime: Codable {
  public init(from decoder: any Decoder) throws {
    self.nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }
}

extension Int128 {
  /// The quotient by a positive divisor, halves rounded towards positive infinity.
  func dividedRoundingHalfUp(by divisor: Int128) -> Int128 {
    (2 *| self +| divisor).dividedRoundingDown(by: 2 *| divisor)
  }

  /// The quotient by a positive divisor, rounded towards negative infinity.
  func dividedRoundingDown(by divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
