internal import TesseraPixels

/// What a canvas shows, and from that what a new scene damages.
struct CanvasHolding {
  /// One tile as it is drawn.
  struct Tile {
    let draw: TileDraw
    /// The picture's identity, or nil for a plain colour.
    let picture: UInt64?
    /// The plain colour, or nil for a picture.
    let color: Color?
    /// The shape of the picture, or nil for a plain colour.
    let shape: TilePlan.Shape?
    let plan: TilePlan
    /// All luma samples that the tile may touch.
    let extent: PixelRect
    /// Whether nothing but the background lies below the tile's content.
    var isBare = false
  }

  /// The tiles from bottom to top.
  private(set) var tiles: [Tile] = []
  private var next: [Tile] = []
  private var ground: (background: Color, filter: ResampleFilter)?
  /// The first held tile that no tile of the new scene has passed.
  private var cursor = 0
  /// The tiles of the new scene that were held at the same place.
  private var staying = 0

  /// Forgets everything.
  mutating func invalidate() {
    ground = nil
  }

  /// Starts comparing with a new scene; adds all of the canvas to `damage` where nothing can stay.
  mutating func begin(
    background: Color, filter: ResampleFilter, canvas: PixelSize, damage: inout Damage
  ) {
    if ground?.background != background || ground?.filter != filter {
      tiles.removeAll(keepingCapacity: true)
      damage.insert(PixelRect(canvas))
    }
    ground = (background, filter)
    next.removeAll(keepingCapacity: true)
    (cursor, staying) = (0, 0)
  }

  /// Compares the next tile, from bottom to top, with what the canvas shows, and adds what it
  /// changes to `damage`: where it was and where it is now.
  ///
  /// Held tiles that the new scene passes over are gone from their place in the order.
  mutating func place(
    _ draw: TileDraw, _ content: TileContent, canvas: PixelSize, plans: inout TilePlanCache,
    damage: inout Damage
  ) {
    let picture = content.picture
    let shape = picture.map(TilePlan.Shape.init)
    var match: Int?
    for index in cursor..<tiles.count where tiles[index].draw.item == draw.item {
      match = index
      break
    }
    let stays = match.map { tiles[$0].draw == draw && tiles[$0].shape == shape } ?? false
    guard let match, stays else {
      let plan = plans.plan(TilePlan.Key(draw, canvas: canvas, picture: shape))
      let tile = Tile(
        draw: draw, picture: picture?.identity, color: content.color, shape: shape, plan: plan,
        extent: plan.extent(draw.overlays))
      if let match { drop(through: match, damage: &damage) }
      damage.insert(tile.extent)
      if !tile.extent.isEmpty { next.append(tile) }
      return
    }
    let held = tiles[match]
    let isSame = held.picture == picture?.identity && held.color == content.color
    drop(through: isSame ? match - 1 : match, damage: &damage)
    cursor = match + 1
    staying += 1
    next.append(
      Tile(
        draw: draw, picture: picture?.identity, color: content.color, shape: shape,
        plan: held.plan, extent: held.extent, isBare: held.isBare))
  }

  /// Ends the comparison: held tiles above the last match are gone.
  mutating func end(damage: inout Damage) {
    drop(through: tiles.count - 1, damage: &damage)
    let isRearranged = staying < max(tiles.count, next.count)
    swap(&tiles, &next)
    if isRearranged { findBareTiles() }
  }

  private mutating func findBareTiles() {
    for index in tiles.indices {
      let visible = tiles[index].plan.planes.chroma.visible
      tiles[index].isBare = tiles[..<index].allSatisfy {
        $0.extent.chroma.intersection(visible).isEmpty
      }
    }
  }

  /// Damages the held tiles from the cursor to `last`, which are gone from their places.
  private mutating func drop(through last: Int, damage: inout Damage) {
    guard cursor <= last else { return }
    for gone in tiles[cursor...last] { damage.insert(gone.extent) }
    cursor = last + 1
  }
}

extension TileContent {
  /// The picture, if that is what the tile shows.
  var picture: Picture? {
    if case .picture(let picture) = self { picture } else { nil }
  }

  /// The plain colour, if that is what the tile shows.
  var color: Color? {
    if case .fill(let color) = self { color } else { nil }
  }
}
