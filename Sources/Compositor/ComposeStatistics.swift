/// What composing one frame took.
public struct ComposeStatistics: Hashable, Sendable {
  /// The number of luma samples written, each counted once.
  public var lumaPixels = 0
  /// The number of chroma samples written, both planes, each counted once.
  public var chromaPixels = 0
  /// The number of tiles drawn again, wholly or in part.
  public var tilesRedrawn = 0

  /// Nothing written.
  public init() {}
}
