/// A quotient of two integers, such as a stream's time base or a sample aspect ratio.
///
/// Ratios are not reduced: two are equal only if both numbers are.
package struct Ratio: Hashable, Sendable, Codable {
  package var numerator: Int
  /// The denominator; 0 if the ratio is unknown.
  package var denominator: Int

  package init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The reciprocal.
  package var inverse: Ratio { Ratio(denominator, numerator) }

  /// The ratio 1/1: a clock that runs at the speed of the timeline.
  package static let one = Ratio(1, 1)

  /// The quotient, for messages only; 0 if the denominator is 0.
  package var value: Double {
    denominator == 0 ? 0 : Double(numerator) / Double(denominator)
  }
}
