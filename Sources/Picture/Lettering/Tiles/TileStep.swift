package import TesseraPixels

/// The size that a tile's card and decorations are drawn for: the largest step that fits, so that
/// tiles of almost one size share their drawings, and a tile that grows takes few.
package struct TileStep: Hashable, Sendable, Codable {
  /// The tile's shorter side, at most: one of ``sides``.
  package let side: Int
  /// The width that drawings may take, at most the tile's: whole eighths of ``side``.
  package let room: Int

  /// The shorter sides that are drawn for, each about √2 times the one before.
  package static let sides = [40, 57, 80, 113, 160, 226, 320, 453, 640, 905, 1280, 1810]

  /// The step for a tile of that size; nil where it is too small to show anything.
  package init?(_ tile: PixelSize) {
    let shorter = min(tile.width, tile.height)
    guard let side = Self.sides.last(where: { $0 <= shorter }) else { return nil }
    self.side = side
    self.room = min(tile.width * 8 / side, 64) * side / 8
  }

  /// All steps for tiles from `smallest` to `largest`, small ones first: of each side one for tiles
  /// as wide as high and one for wide tiles.
  package static func steps(from smallest: PixelSize, to largest: PixelSize) -> [TileStep] {
    let least = TileStep(smallest)?.side ?? 0
    let most = min(largest.width, largest.height)
    return sides.filter { $0 >= least && $0 <= most }.flatMap { side in
      [side, side * 7 / 4].compactMap { TileStep(PixelSize(width: $0, height: side)) }
    }
  }

  /// Whether drawings of this step fit a tile of that size.
  package func fits(_ tile: PixelSize) -> Bool {
    side <= min(tile.width, tile.height) && room <= tile.width
  }

  /// The size of letters in pixels, so that they can be read and leave the picture its space: 11
  /// on the smallest tile with a name, growing less than the tile.
  var textSize: Double {
    let sizes = [11.0, 11, 11, 11, 13, 16, 19, 23, 28, 34, 42, 52]
    return sizes[Self.sides.firstIndex(of: side) ?? 0]
  }

  /// The height of plates and signs in pixels.
  var plateHeight: Int { Int((textSize * 1.9 / 2).rounded()) * 2 }

  /// The distance of plates and signs to the tile's edges in pixels.
  var margin: Int { Int((textSize * 0.62).rounded()) }

  /// Whether the tile is large enough for a name: letters of 11 pixels on a plate that covers at
  /// most a fifth of the height, or a third of a tile with room for more than initials.
  package var showsNames: Bool { side >= 113 || side >= 57 && room >= 98 }

  /// Whether the tile is large enough for signs, which take a quarter of its height at most.
  package var showsSigns: Bool { side >= 80 }
}
