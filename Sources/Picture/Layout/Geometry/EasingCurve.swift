/// An easing curve: the progress of a motion as a function of the elapsed fraction of its duration.
///
/// A cubic Bézier curve from (0, 0) to (1, 1), as in CSS `cubic-bezier()` and
/// `CAMediaTimingFunction`.
package struct EasingCurve: Hashable, Sendable, Codable {
  /// The first control point; its x is in `0...1`.
  package let start: Point
  /// The second control point; its x is in `0...1`.
  package let end: Point

  /// Creates the curve with the control points (`x1`, `y1`) and (`x2`, `y2`). `x1` and `x2` are
  /// clamped to `0...1`, so that time never runs backwards.
  package init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    start = Point(x: min(max(x1, 0), 1), y: y1)
    end = Point(x: min(max(x2, 0), 1), y: y2)
  }

  /// The default curve of UIView animations.
  package static let easeInOut = EasingCurve(0.42, 0, 0.58, 1)

  /// Returns the progress at the fraction `time` of the duration; exactly 0 and 1 at and beyond the
  /// ends.
  package func value(at time: Double) -> Double {
    guard time > 0 else { return 0 }
    guard time < 1 else { return 1 }
    // x rises with the parameter, so bisection finds it. 52 steps reach a Double's last bit and,
    // unlike Newton's method, give the same result from any start.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<52 {
      let middle = (low + high) / 2
      if Self.bezier(start.x, end.x, at: middle) < time { low = middle } else { high = middle }
    }
    return Self.bezier(start.y, end.y, at: (low + high) / 2)
  }

  private static func bezier(_ a: Double, _ b: Double, at t: Double) -> Double {
    let s = 1 - t
    return 3 * s * s * t * a + 3 * s * t * t * b + t * t * t
  }
}
