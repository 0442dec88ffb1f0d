package import TesseraPixels

/// A size for which a tile's card and decorations are drawn. Tiles use the largest step that fits,
/// so that tiles of similar size share drawings, and a growing tile needs few.
package struct TileSizeStep: Hashable, Sendable, Codable {
  /// The largest of ``sides`` not above the tile's shorter side, in pixels.
  package let side: Int
  /// The width available to drawings in pixels, at most the tile's: a multiple of an eighth of
  /// ``side``.
  package let room: Int

  /// The shorter sides in pixels for which drawings are made, each about √2 times the previous one.
  package static let sides = [40, 57, 80, 113, 160, 226, 320, 453, 640, 905, 1280, 1810]

  /// Creates the step for a tile of size `tile`; `nil` if the tile is too small to show anything.
  package init?(_ tile: PixelSize) {
    let shorter = min(tile.width, tile.height)
    guard let side = Self.sides.last(where: { $0 <= shorter }) else { return nil }
    self.side = side
    self.room = min(tile.width * 8 / side, 64) * side / 8
  }

  /// Returns all steps for tiles from `smallest` to `largest`, in ascending order. Every side has
  /// one step for square and one for wide tiles.
  package static func steps(from smallest: PixelSize, to largest: PixelSize) -> [TileSizeStep] {
    let least = TileSizeStep(smallest)?.side ?? 0
    let most = min(largest.width, largest.height)
    return sides.filter { $0 >= least && $0 <= most }.flatMap { side in
      [side, side * 7 / 4].compactMap { TileSizeStep(PixelSize(width: $0, height: side)) }
    }
  }

  /// True if drawings of this step fit a tile of size `tile`.
  package func fits(_ tile: PixelSize) -> Bool {
    side <= min(tile.width, tile.height) && room <= tile.width
  }

  /// The font size in pixels: 11 on the smallest tile with a name, then growing less than the tile,
  /// so that text is readable and leaves space for the picture.
  var textSize: Double {
    let sizes = [11.0, 11, 11, 11, 13, 16, 19, 23, 28, 34, 42, 52]
    return sizes[Self.sides.firstIndex(of: side) ?? 0]
  }

  /// The height of plates and signs in pixels.
  var plateHeight: Int { Int((textSize * 1.9 / 2).rounded()) * 2 }

  /// The distance of plates and signs to the tile's edges in pixels.
  var margin: Int { Int((textSize * 0.62).rounded()) }

  /// True if the tile is large enough for a name: letters of 11 pixels on a plate that covers at
  /// most a fifth of the height, or a third of a tile with room for more than initials.
  package var showsNames: Bool { side >= 113 || side >= 57 && room >= 98 }

  /// True if the tile is large enough for signs, which take at most a quarter of its height.
  package var showsSigns: Bool { side >= 80 }
}
