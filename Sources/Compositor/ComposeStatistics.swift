/// What composing one frame took.
public struct ComposeStatistics: Hashable, Sendable {
  /// The number of luma samples written: background, tiles, and overlays beside a tile's picture.
  public var lumaPixels = 0
  /// The number of chroma samples written, both planes.
  public var chromaPixels = 0
  /// The number of tiles drawn again, wholly or in part.
  public var tilesRedrawn = 0

  /// Nothing written.
  public init() {}

  /// Counts samples written to plane 0 (luma), 1 (blue) or 2 (red).
  mutating func add(_ samples: Int, plane: Int) {
    if plane == 0 { lumaPixels += samples } else { chromaPixels += samples }
  }
}
