/// What every item of a scene shows at one time; made once and overwritten frame by frame.
package struct FrameSet: Sendable {
  /// The contents, indexed by ``TileDraw/item``.
  package var contents: [TileContent]

  /// A set of `count` empty contents.
  package init(count: Int) {
    self.contents = Array(repeating: .empty, count: count)
  }

  /// A set of these contents.
  package init(_ contents: [TileContent]) {
    self.contents = contents
  }
}
