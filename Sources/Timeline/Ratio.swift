/// A quotient of two whole numbers, as a stream's time base or a sample aspect ratio.
///
/// Not reduced: two ratios are equal when their numbers are.
public struct Ratio: Hashable, Sendable, Codable {
  /// The number above the line.
  public var numerator: Int
  /// The number below the line; 0 means that the ratio is not known.
  public var denominator: Int

  /// The ratio `numerator / denominator`.
  public init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// One divided by it.
  public var inverse: Ratio { Ratio(denominator, numerator) }

  /// A clock that keeps to the timeline's.
  public static let one = Ratio(1, 1)

  /// The quotient, for messages only; 0 where the denominator is 0.
  public var value: Double {
    denominator == 0 ? 0 : Double(numerator) / Double(denominator)
  }
}
