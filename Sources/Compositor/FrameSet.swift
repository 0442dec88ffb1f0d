/// What every item of a scene shows at one time; made once and overwritten frame by frame.
public struct FrameSet: Sendable {
  /// The contents, indexed by ``TileDraw/item``.
  public var contents: [TileContent]

  /// A set of `count` empty contents.
  public init(count: Int) {
    self.contents = Array(repeating: .empty, count: count)
  }

  /// A set of these contents.
  public init(_ contents: [TileContent]) {
    self.contents = contents
  }
}
