/// A time, or the distance between two, as an exact fraction of a second.
///
/// Ticks of any time base, frames of any rate and decimal offsets add up without rounding; only
/// sums whose reduced denominator would not fit 64 bits are rounded half-up to a nanosecond, and
/// what lies further than two hundred years from zero ends there.
package struct ExactTime: Hashable, Sendable {
  /// The number above the line, reduced.
  package let numerator: Int64
  /// The number below the line, above 0, reduced.
  package let denominator: Int64

  /// Zero seconds.
  package static let zero = ExactTime(reduced: 0, 1)

  private init(reduced numerator: Int64, _ denominator: Int64) {
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  /// `numerator / denominator` seconds.
  ///
  /// - Precondition: `denominator` is above 0.
  package init(_ numerator: Int128, over denominator: Int128) {
    precondition(denominator > 0)
    guard (numerator / denominator).magnitude < Self.bound else {
      self.init(reduced: numerator < 0 ? 0 -| Int64(Self.bound) : Int64(Self.bound), 1)
      return
    }
    let divisor = Int128(Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
    let (reduced, unit) = (numerator / divisor, denominator / divisor)
    if let numerator = Int64(exactly: reduced), let denominator = Int64(exactly: unit) {
      self.init(reduced: numerator, denominator)
    } else {
      let nanoseconds = Int128(MediaTime.nanosecondsPerSecond)
      let (whole, rest) = reduced.quotientAndRemainder(dividingBy: unit)
      // Beyond 64 bits a tenth of a billionth part of the denominator is far below a nanosecond.
      let shift = max(0, 128 - unit.leadingZeroBitCount - 62)
      let part = ((rest >> shift) * nanoseconds).dividedRoundingHalfUp(by: max(1, unit >> shift))
      self.init(whole * nanoseconds + part, over: nanoseconds)
    }
  }

  /// The time at `ticks` of a time base; nil where it lies more than a hundred years from zero or
  /// the time base is not positive.
  package init?(ticks: Int64, timeBase: Ratio) {
    guard timeBase.numerator > 0, timeBase.denominator > 0 else { return nil }
    let scaled = Int128(ticks) * Int128(timeBase.numerator)
    let bound = Int128(MediaTime.bound / MediaTime.nanosecondsPerSecond)
    guard scaled.magnitude < (bound * Int128(timeBase.denominator)).magnitude else { return nil }
    self.init(scaled, over: Int128(timeBase.denominator))
  }

  /// The time in whole nanoseconds, exactly.
  package init(_ time: MediaTime) {
    self.init(Int128(time.nanoseconds), over: Int128(MediaTime.nanosecondsPerSecond))
  }

  /// The nearest time in whole nanoseconds, half-up; for display and for what is not compared.
  package var rounded: MediaTime {
    let scaled = Int128(numerator) * Int128(MediaTime.nanosecondsPerSecond)
    return MediaTime(
      nanoseconds: Int64(clamping: scaled.dividedRoundingHalfUp(by: Int128(denominator))))
  }

  /// The time in seconds, for messages and reports only.
  package var seconds: Double { Double(numerator) / Double(denominator) }

  /// The nearest tick of a time base with positive numbers, half-up.
  package func ticks(timeBase: Ratio) -> Int64 {
    let scaled = Int128(numerator) * Int128(timeBase.denominator)
    let divisor = Int128(denominator) * Int128(timeBase.numerator)
    return Int64(clamping: scaled.dividedRoundingHalfUp(by: divisor))
  }

  /// The index of the sample that lies nearest to this time at `rate` samples a second, half-up.
  package func sample(atRate rate: Int) -> Int64 { ticks(timeBase: Ratio(1, rate)) }

  /// In seconds; twice what times from files may be, so that sums of two are exact.
  private static let bound = UInt128(MediaTime.bound / MediaTime.nanosecondsPerSecond) * 2

  private static func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
    var (a, b) = (a, b)
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

  /// The same time on the other side of zero.
  package static prefix func - (time: ExactTime) -> ExactTime {
    ExactTime(-Int128(time.numerator), over: Int128(time.denominator))
  }
}

extension ExactTime {
  /// So many times as long; the ratio's numbers are positive.
  package static func * (time: ExactTime, factor: Ratio) -> ExactTime {
    ExactTime(
      Int128(time.numerator) * Int128(factor.numerator),
      over: Int128(time.denominator) * Int128(factor.denominator))
  }
}

extension ExactTime: LosslessStringConvertible {
  /// `12/25`, or `3` for whole seconds.
  package var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }

  /// Reads what ``description`` writes; nil for anything else.
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
  /// The first frame that shows a picture with time `time`, exactly: the smallest k with
  /// `time` < (k + ½) / rate.
  package func firstFrame(showing time: ExactTime) -> Int {
    let scaled = Int128(time.numerator) * Int128(numerator)
    let divisor = Int128(time.denominator) * Int128(denominator)
    return Int(clamping: scaled.dividedRoundingHalfUp(by: divisor))
  }

  /// The exact time at which frame `frame` begins.
  package func exactTime(ofFrame frame: Int) -> ExactTime {
    ExactTime(Int128(frame) * Int128(denominator), over: Int128(numerator))
  }
}
