/// The contents of all items of a scene at one time. Created once and overwritten for every frame.
package struct ItemContents: Sendable {
  /// The contents, indexed by ``TilePlacement/item``.
  package var contents: [TileContent]

  /// Creates a set of `count` empty contents.
  package init(count: Int) {
    self.contents = Array(repeating: .empty, count: count)
  }

  package init(_ contents: [TileContent]) {
    self.contents = contents
  }
}
