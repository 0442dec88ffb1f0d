/// A quotient of two whole numbers, as a stream's time base or a sample aspect ratio.
///
/// Not reduced: two ratios are equal when their numbers are.
package struct Ratio: Hashable, Sendable, Codable {
  /// The number above the line.
  package var numerator: Int
  /// The number below the line; 0 means that the ratio is not known.
  package var denominator: Int

  /// The ratio `numerator / denominator`.
  package init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// One divided by it.
  package var inverse: Ratio { Ratio(denominator, numerator) }

  /// A clock that keeps to the timeline's.
  package static let one = Ratio(1, 1)

  /// The quotient, for messages only; 0 where the denominator is 0.
  package var value: Double {
    denominator == 0 ? 0 : Double(numerator) / Double(denominator)
  }
}
