infix operator +| : AdditionPrecedence
infix operator -| : AdditionPrecedence
infix operator *| : MultiplicationPrecedence
infix operator +|= : AssignmentPrecedence
infix operator -|= : AssignmentPrecedence

/// Saturating arithmetic for numbers from files, such as times and positions: a result that does
/// not fit becomes the largest or smallest value, where Swift's own operators trap.
extension FixedWidthInteger {
  /// Returns the sum, clamped to the representable range.
  @inlinable package static func +| (a: Self, b: Self) -> Self {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? (b < 0 ? .min : .max) : sum
  }

  /// Returns the difference, clamped to the representable range.
  @inlinable package static func -| (a: Self, b: Self) -> Self {
    let (difference, overflows) = a.subtractingReportingOverflow(b)
    return overflows ? (b < 0 ? .max : .min) : difference
  }

  /// Returns the product, clamped to the representable range.
  @inlinable package static func *| (a: Self, b: Self) -> Self {
    let (product, overflows) = a.multipliedReportingOverflow(by: b)
    return overflows ? ((a < 0) != (b < 0) ? .min : .max) : product
  }

  /// Adds `b` with saturation, as ``+|(_:_:)`` does.
  @inlinable package static func +|= (a: inout Self, b: Self) { a = a +| b }

  /// Subtracts `b` with saturation, as ``-|(_:_:)`` does.
  @inlinable package static func -|= (a: inout Self, b: Self) { a = a -| b }

  /// Converts `value`, truncated towards zero and clamped to the representable range; NaN gives 0.
  @inlinable package init(saturating value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    // `Double(Self.max)` may round up to a value that does not fit.
    self = value >= Double(Self.max) ? .max : value <= Double(Self.min) ? .min : Self(value)
  }
}
