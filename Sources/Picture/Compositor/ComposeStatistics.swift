/// The amount of work done to compose one frame.
package struct ComposeStatistics: Hashable, Sendable {
  /// The number of luma samples written: background, tiles, and overlays outside a tile's picture.
  package var lumaPixels = 0
  /// The number of chroma samples written, both planes together.
  package var chromaPixels = 0
  /// The number of tiles redrawn, wholly or in part.
  package var tilesRedrawn = 0

  /// Creates statistics with all counts 0.
  package init() {}

  /// Counts `samples` written to plane 0 (luma), 1 (blue) or 2 (red).
  mutating func add(_ samples: Int, plane: Int) {
    if plane == 0 { lumaPixels += samples } else { chromaPixels += samples }
  }
}
