internal import Pixels

/// What a canvas shows, and from that what a new scene damages.
struct CanvasHolding {
  /// One tile as it was drawn.
  struct Tile {
    var draw: TileDraw
    var content: ContentIdentity
    /// All that the tile may have touched.
    var extent: PixelRect
  }

  /// What distinguishes one content from another.
  enum ContentIdentity: Hashable {
    case empty
    case fill(Color)
    case picture(UInt64)

    init(_ content: TileContent) {
      self =
        switch content {
        case .empty: .empty
        case .fill(let color): .fill(color)
        case .picture(let picture): .picture(picture.identity)
        }
    }
  }

  private var ground: (background: Color, filter: ResampleFilter)?
  private var tiles: [Tile] = []
  private var next: [Tile] = []
  /// The first held tile that no tile of the new scene has passed.
  private var cursor = 0

  /// Forgets everything.
  mutating func invalidate() {
    ground = nil
  }

  /// Starts comparing with a new scene; adds all of the canvas to `damage` where nothing can stay.
  mutating func begin(
    background: Color, filter: ResampleFilter, canvas: PixelRect, damage: inout Region
  ) {
    if ground?.background != background || ground?.filter != filter {
      tiles.removeAll(keepingCapacity: true)
      damage.insert(canvas)
    }
    ground = (background, filter)
    next.removeAll(keepingCapacity: true)
    cursor = 0
  }

  /// Compares the next tile, from bottom to top, with what the canvas shows, and adds what it
  /// changes to `damage`: where it was and where it is now.
  ///
  /// Held tiles that the new scene passes over are gone from their place in the order.
  mutating func compare(_ tile: Tile, damage: inout Region) {
    next.append(tile)
    guard let match = tiles[cursor...].firstIndex(where: { $0.draw.item == tile.draw.item }) else {
      damage.insert(tile.extent.roundedOutToEven)
      return
    }
    for gone in tiles[cursor..<match] { damage.insert(gone.extent.roundedOutToEven) }
    let held = tiles[match]
    cursor = match + 1
    guard held.draw != tile.draw || held.content != tile.content else { return }
    damage.insert(held.extent.roundedOutToEven)
    damage.insert(tile.extent.roundedOutToEven)
  }

  /// Ends the comparison: held tiles above the last match are gone.
  mutating func end(damage: inout Region) {
    for gone in tiles[cursor...] { damage.insert(gone.extent.roundedOutToEven) }
    swap(&tiles, &next)
  }
}
