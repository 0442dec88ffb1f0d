/// The mapping of coded to displayed pixels: the eight orientations, with EXIF's numbers.
package enum Orientation: Int, Hashable, Sendable, Codable, CaseIterable {
  /// Displayed as coded.
  case upright = 1
  /// Left and right exchanged.
  case mirrored = 2
  /// Rotated by 180°.
  case rotated180 = 3
  /// Top and bottom exchanged.
  case flipped = 4
  /// Columns and rows exchanged: displayed (x, y) is coded (y, x).
  case transposed = 5
  /// Rotated clockwise by 90°.
  case rotated90 = 6
  /// Mirrored at the other diagonal.
  case transversed = 7
  /// Rotated counter-clockwise by 90°.
  case rotated270 = 8

  /// Creates an orientation that **first** mirrors the coded picture and **then** transposes it.
  ///
  /// `mirroredHorizontally` exchanges coded left and right, `mirroredVertically` coded top and
  /// bottom, and `transposed` exchanges columns and rows.
  ///
  /// With the coded picture `c` of w by h pixels, `m(x, y) = c(mirroredHorizontally ? w-1-x : x,
  /// mirroredVertically ? h-1-y : y)`, and the displayed picture is `transposed ? m(y, x) : m(x,
  /// y)`. A clockwise rotation by 90° is therefore `transposed` with `mirroredVertically`.
  package init(transposed: Bool, mirroredHorizontally: Bool, mirroredVertically: Bool) {
    self =
      switch (transposed, mirroredHorizontally, mirroredVertically) {
      case (false, false, false): .upright
      case (false, true, false): .mirrored
      case (false, true, true): .rotated180
      case (false, false, true): .flipped
      case (true, false, false): .transposed
      case (true, false, true): .rotated90
      case (true, true, true): .transversed
      case (true, true, false): .rotated270
      }
  }

  /// True if columns and rows are exchanged, after the mirroring.
  package var transposes: Bool { rawValue >= Orientation.transposed.rawValue }

  /// True if coded left and right are exchanged, before the transposition.
  package var mirrorsHorizontally: Bool {
    switch self {
    case .mirrored, .rotated180, .transversed, .rotated270: true
    case .upright, .flipped, .transposed, .rotated90: false
    }
  }

  /// True if coded top and bottom are exchanged, before the transposition.
  package var mirrorsVertically: Bool {
    switch self {
    case .rotated180, .flipped, .rotated90, .transversed: true
    case .upright, .mirrored, .transposed, .rotated270: false
    }
  }
}
