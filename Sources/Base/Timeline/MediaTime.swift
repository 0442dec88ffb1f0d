/// A point in time or a duration in whole nanoseconds.
///
/// 2^63 ns are 292 years: sums of real recordings' times fit, and others saturate. Times from files
/// go through ``init(ticks:timeBase:)``, which rejects values that do not fit.
public struct MediaTime: Hashable, Sendable {
  /// The time in nanoseconds.
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Creates a time from whole seconds; saturates.
  public init(seconds: Int) {
    self.nanoseconds = Int64(seconds) *| Self.nanosecondsPerSecond
  }

  /// Converts `ticks` of a stream's time base, rounded half-up to a nanosecond; `nil` if the time
  /// is more than a hundred years from zero or if the time base is not positive.
  package init?(ticks: Int64, timeBase: Ratio) {
    guard timeBase.numerator > 0, timeBase.denominator > 0 else { return nil }
    let scaled = Int128(ticks) * Int128(timeBase.numerator) *| Int128(Self.nanosecondsPerSecond)
    let rounded = scaled.dividedRoundingHalfUp(by: Int128(timeBase.denominator))
    guard rounded.magnitude < UInt128(Self.bound) else { return nil }
    self.nanoseconds = Int64(rounded)
  }

  /// Returns the nearest tick of a time base, rounded half-up; 0 if the time base is not positive.
  package func ticks(timeBase: Ratio) -> Int64 {
    guard timeBase.numerator > 0, timeBase.denominator > 0 else { return 0 }
    let scaled = Int128(nanoseconds) * Int128(timeBase.denominator)
    let divisor = Int128(timeBase.numerator) * Int128(Self.nanosecondsPerSecond)
    return Int64(clamping: scaled.dividedRoundingHalfUp(by: divisor))
  }

  /// The beginning of a timeline.
  public static let zero = MediaTime(nanoseconds: 0)

  static let nanosecondsPerSecond: Int64 = 1_000_000_000
  /// The limit of times from files, in nanoseconds: a hundred leap years.
  static let bound: Int64 = 3_162_240_000 *| nanosecondsPerSecond

  /// The time in seconds, for messages and reports only: not exact.
  public var seconds: Double { Double(nanoseconds) / Double(Self.nanosecondsPerSecond) }

  /// Returns the index of the nearest sample at `rate` samples per second, rounded half-up.
  package func sample(atRate rate: Int) -> Int64 {
    let scaled = Int128(nanoseconds) * Int128(rate)
    return Int64(clamping: scaled.dividedRoundingHalfUp(by: Int128(Self.nanosecondsPerSecond)))
  }

  /// Creates the time of sample `sample` at `rate` samples per second, rounded half-up; saturates.
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
  /// Multiplies a time by a positive ratio, rounded half-up; saturates.
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
  /// Returns the quotient by a positive divisor, with halves rounded towards positive infinity.
  func dividedRoundingHalfUp(by divisor: Int128) -> Int128 {
    (2 *| self +| divisor).dividedRoundingDown(by: 2 *| divisor)
  }

  /// Returns the quotient by a positive divisor, rounded towards negative infinity.
  func dividedRoundingDown(by divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
