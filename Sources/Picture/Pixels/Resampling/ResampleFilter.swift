internal import Glibc

/// The filter that scales a picture. All filters are widened when shrinking.
public enum ResampleFilter: String, Hashable, Sendable, Codable, CaseIterable {
  /// Catmull-Rom (Keys 1981, a = -1/2), radius 2.
  case bicubic
  /// The exact average of the source area that a destination pixel covers.
  case area
  /// A triangle, radius 1.
  case bilinear
  /// A sinc windowed by the main lobe of a sinc three times as wide, radius 3.
  case lanczos
  /// The cubic B-spline, radius 2: very smooth, but it blurs. For enlarging blurred pictures.
  case spline

  /// The filters that a user can select, all of which keep pictures sharp.
  public static let allCases: [ResampleFilter] = [.bicubic, .area, .bilinear, .lanczos]

  /// Returns the filter's radius in source samples, if a result sample is `step` source samples
  /// wide.
  package func radius(step: Double) -> Double {
    let widening = max(step, 1)
    return switch self {
    case .bicubic, .spline: 2 * widening
    case .area: (step + 1) / 2
    case .bilinear: widening
    case .lanczos: 3 * widening
    }
  }

  /// Returns the weight, not normalized, of a source sample `distance` source samples from the
  /// center.
  func weight(distance: Double, step: Double) -> Double {
    let x = abs(distance)
    if self == .area { return max(0, min(1, step, (step + 1) / 2 - x)) }
    return profile(x / max(step, 1))
  }

  /// Returns the filter's curve at `x` >= 0.
  private func profile(_ x: Double) -> Double {
    switch self {
    case .bicubic where x < 1: (1.5 * x - 2.5) * x * x + 1
    case .bicubic where x < 2: ((-0.5 * x + 2.5) * x - 4) * x + 2
    case .bilinear where x < 1: 1 - x
    case .spline where x < 1: (0.5 * x - 1) * x * x + 2.0 / 3
    case .spline where x < 2: (2 - x) * (2 - x) * (2 - x) / 6
    case .lanczos where x < 3: Self.sinc(x) * Self.sinc(x / 3)
    default: 0
    }
  }

  private static func sinc(_ x: Double) -> Double {
    x < 1e-9 ? 1 : sin(.pi * x) / (.pi * x)
  }
}
