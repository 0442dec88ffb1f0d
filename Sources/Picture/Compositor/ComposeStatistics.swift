/// What composing one frame took.
package struct ComposeStatistics: Hashable, Sendable {
  /// The number of luma samples written: background, tiles, and overlays beside a tile's picture.
  package var lumaPixels = 0
  /// The number of chroma samples written, both planes.
  package var chromaPixels = 0
  /// The number of tiles drawn again, wholly or in part.
  package var tilesRedrawn = 0

  /// Nothing written.
  package init() {}

  /// Counts samples written to plane 0 (luma), 1 (blue) or 2 (red).
  mutating func add(_ samples: Int, plane: Int) {
    if plane == 0 { lumaPixels += samples } else { chromaPixels += samples }
  }
}
