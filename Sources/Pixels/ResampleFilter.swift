/// The filter that a picture is scaled with; all are widened when shrinking.
public enum ResampleFilter: String, Hashable, Sendable, Codable, CaseIterable {
  /// Catmull-Rom (Keys 1981, a = -1/2), radius 2.
  case bicubic
  /// A box of one source pixel's width, widened to the destination pixel: exact area average.
  case area
  /// A triangle, radius 1.
  case bilinear
  /// A sinc windowed by a wider sinc, radius 3.
  case lanczos
}
