/// A point in time or a duration as an exact fraction of a second.
///
/// Ticks of any time base, frames of any rate and decimal offsets add up without rounding. Only a
/// sum whose reduced denominator does not fit 64 bits is rounded half-up to a nanosecond. Values
/// further than two hundred years from zero are clamped.
package struct ExactTime: Hashable, Sendable {
  /// The numerator of the reduced fraction.
  package let numerator: Int64
  /// The denominator of the reduced fraction, above 0.
  package let denominator: Int64

  package static let zero = ExactTime(reduced: 0, 1)

  private init(reduced numerator: Int64, _ denominator: Int64) {
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  /// Creates a time of `numerator / denominator` seconds, clamped to two hundred years.
  ///
  /// - Precondition: `denominator` is above 0.
  package init(_ numerator: Int128, over denominator: Int128) {
    precondition(denominator > 0)
    guard (numerator / denominator).magnitude < Self.bound else {
      self.init(reduced: numerator < 0 ? 0 -| Int64(Self.bound) : Int64(Self.bound), 1)
      return
    }
    let divisor = Int128(numerator.magnitude.greatestCommonDivisor(denominator.magnitude))
    let (reduced, unit) = (numerator / divisor, denominator / divisor)
    if let numerator = Int64(exactly: reduced), let denominator = Int64(exactly: unit) {
      self.init(reduced: numerator, denominator)
    } else {
      let nanoseconds = Int128(MediaTime.nanosecondsPerSecond)
      let (whole, rest) = reduced.quotientAndRemainder(dividingBy: unit)
      // With more than 64 bits, a tenth of a billionth of the denominator is far below a
      // nanosecond.
      let shift = max(0, 128 - unit.leadingZeroBitCount - 62)
      let part = ((rest >> shift) * nanoseconds).dividedRoundingHalfUp(by: max(1, unit >> shift))
      self.init(whole * nanoseconds + part, over: nanoseconds)
    }
  }

  /// Converts `ticks` of a time base; `nil` if the time is more than a hundred years from zero or
  /// if the time base is not positive.
  package init?(ticks: Int64, timeBase: Ratio) {
    guard timeBase.numerator > 0, timeBase.denominator > 0 else { return nil }
    let scaled = Int128(ticks) * Int128(timeBase.numerator)
    let bound = Int128(MediaTime.bound / MediaTime.nanosecondsPerSecond)
    guard scaled.magnitude < (bound * Int128(timeBase.denominator)).magnitude else { return nil }
    self.init(scaled, over: Int128(timeBase.denominator))
  }

  /// Converts a time in whole nanoseconds exactly.
  package init(_ time: MediaTime) {
    self.init(Int128(time.nanoseconds), over: Int128(MediaTime.nanosecondsPerSecond))
  }

  /// The time rounded half-up to a nanosecond, for display and for values that are not compared.
  package var rounded: MediaTime {
    let scaled = Int128(numerator) * Int128(MediaTime.nanosecondsPerSecond)
    return MediaTime(
      nanoseconds: Int64(clamping: scaled.dividedRoundingHalfUp(by: Int128(denominator))))
  }

  /// The time in seconds, for messages and reports only: not exact.
  package var seconds: Double { Double(numerator) / Double(denominator) }

  /// Returns the nearest tick of a positive time base, rounded half-up.
  package func ticks(timeBase: Ratio) -> Int64 {
    let scaled = Int128(numerator) * Int128(timeBase.denominator)
    let divisor = Int128(denominator) * Int128(timeBase.numerator)
    return Int64(clamping: scaled.dividedRoundingHalfUp(by: divisor))
  }

  /// Returns the index of the nearest sample at `rate` samples per second, rounded half-up.
  package func sample(atRate rate: Int) -> Int64 { ticks(timeBase: Ratio(1, rate)) }

  /// The limit in seconds: twice the limit of times from files, so that the sum of two such times
  /// is exact.
  private static let bound = UInt128(MediaTime.bound / MediaTime.nanosecondsPerSecond) * 2
}

extension BinaryInteger {
  /// Returns the greatest common divisor with `other`; both are nonnegative.
  func greatestCommonDivisor(_ other: Self) -> Self {
    var (a, b) = (self, other)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}

extension ExactTime: Comparable {
  package static func < (a: ExactTime, b: ExactTime) -> Bool {
    Int128(a.numerator) * Int128(b.denominator) < Int128(b.numerator) * Int128(a.denominator)
  }
}

extension ExactTime: AdditiveArithmetic {
  package static func + (a: ExactTime, b: ExactTime) -> ExactTime {
    ExactTime(
      Int128(a.numerator) * Int128(b.denominator) + Int128(b.numerator) * Int128(a.denominator),
      over: Int128(a.denominator) * Int128(b.denominator))
  }

  package static func - (a: ExactTime, b: ExactTime) -> ExactTime { a + -b }

  /// Returns the time with the opposite sign.
  package static prefix func - (time: ExactTime) -> ExactTime {
    ExactTime(-Int128(time.numerator), over: Int128(time.denominator))
  }
}

extension ExactTime {
  /// Multiplies a time by a positive ratio.
  package static func * (time: ExactTime, factor: Ratio) -> ExactTime {
    ExactTime(
      Int128(time.numerator) * Int128(factor.numerator),
      over: Int128(time.denominator) * Int128(factor.denominator))
  }
}

extension ExactTime: LosslessStringConvertible {
  /// The fraction as text: `12/25`, or `3` for whole seconds.
  package var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }

  /// Parses the form that ``description`` has; returns `nil` for any other text.
  package init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let numerator = parts.first.flatMap({ Int64($0) }),
      let denominator = parts.count == 2 ? Int64(parts[1]) : 1, denominator > 0
    else { return nil }
    self.init(Int128(numerator), over: Int128(denominator))
  }
}

extension ExactTime: TextCodable {
  package static var textForm: String { "a fraction" }
}

extension FrameRate {
  /// Returns the first frame that shows a picture with time `time`, computed exactly: the smallest
  /// k with `time` < (k + ½) / rate.
  package func firstFrame(showing time: ExactTime) -> Int {
    let scaled = Int128(time.numerator) * Int128(numerator)
    let divisor = Int128(time.denominator) * Int128(denominator)
    return Int(clamping: scaled.dividedRoundingHalfUp(by: divisor))
  }

  /// Returns the exact time at which frame `frame` begins.
  package func exactTime(ofFrame frame: Int) -> ExactTime {
    ExactTime(Int128(frame) * Int128(denominator), over: Int128(numerator))
  }
}
