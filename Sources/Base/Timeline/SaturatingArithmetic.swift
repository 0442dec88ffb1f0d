infix operator +| : AdditionPrecedence
infix operator -| : AdditionPrecedence
infix operator *| : MultiplicationPrecedence
infix operator +|= : AssignmentPrecedence
infix operator -|= : AssignmentPrecedence

/// Arithmetic for numbers that come from files, such as times and positions: what does not fit ends
/// at the largest or smallest number that does, where Swift's own operators end the process.
extension FixedWidthInteger {
  /// The sum, or the number nearest to it that fits.
  @inlinable package static func +| (a: Self, b: Self) -> Self {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? (b < 0 ? .min : .max) : sum
  }

  /// The difference, or the number nearest to it that fits.
  @inlinable package static func -| (a: Self, b: Self) -> Self {
    let (difference, overflows) = a.subtractingReportingOverflow(b)
    return overflows ? (b < 0 ? .max : .min) : difference
  }

  /// The product, or the number nearest to it that fits.
  @inlinable package static func *| (a: Self, b: Self) -> Self {
    let (product, overflows) = a.multipliedReportingOverflow(by: b)
    return overflows ? ((a < 0) != (b < 0) ? .min : .max) : product
  }

  /// Adds `b` as ``+|(_:_:)`` does.
  @inlinable package static func +|= (a: inout Self, b: Self) { a = a +| b }

  /// Takes `b` away as ``-|(_:_:)`` does.
  @inlinable package static func -|= (a: inout Self, b: Self) { a = a -| b }

  /// The whole number that `value` is rounded towards zero, or the nearest one that fits; 0 where
  /// it is not a number.
  @inlinable package init(saturating value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    // The largest number may round up to one that does not fit.
    self = value >= Double(Self.max) ? .max : value <= Double(Self.min) ? .min : Self(value)
  }
}
