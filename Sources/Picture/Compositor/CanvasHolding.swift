internal import TesseraPixels

/// What a canvas shows, and from that what a new scene damages.
struct CanvasHolding {
  /// What lies below all tiles.
  struct Ground: Equatable {
    var background: Color
    var picture: Picture?
    var filter: ResampleFilter
  }

  /// The tiles from bottom to top.
  private(set) var tiles: [Tile] = []
  private var next: [Tile] = []
  private var ground: Ground?
  private var sprites: [SpriteDraw] = []
  /// The first held tile that no tile of the new scene has passed.
  private var cursor = 0
  /// The tiles of the new scene that were held at the same place, with the same extent.
  private var staying = 0

  /// Forgets everything.
  mutating func invalidate() {
    ground = nil
  }

  /// Starts comparing with a new scene; adds all of the canvas to `damage` where nothing can stay.
  mutating func begin(_ ground: Ground, canvas: PixelSize, damage: inout Damage) {
    if self.ground != ground {
      tiles.removeAll(keepingCapacity: true)
      damage.insert(PixelRect(canvas))
    }
    self.ground = ground
    next.removeAll(keepingCapacity: true)
    (cursor, staying) = (0, 0)
  }

  /// Compares the next tile, from bottom to top, with what the canvas shows, and adds what it
  /// changes to `damage`: where it was and where it is now.
  ///
  /// Held tiles that the new scene passes over are gone from their place in the order.
  mutating func place(
    _ draw: TileDraw, _ layers: TileLayers, canvas: PixelSize, plans: inout TilePlanCache,
    damage: inout Damage
  ) {
    var match: Int?
    for index in cursor..<tiles.count where tiles[index].draw.item == draw.item {
      match = index
      break
    }
    guard let match, tiles[match].isPlaced(like: draw, layers) else {
      let tile = Tile(draw, layers, canvas: canvas, plans: &plans)
      if let match { drop(through: match, damage: &damage) }
      damage.insert(tile.extent)
      if !tile.extent.isEmpty { next.append(tile) }
      return
    }
    drop(through: match - 1, damage: &damage)
    cursor = match + 1
    let held = tiles[match]
    let (isSame, isDecorated) = (held.shows(layers), held.draw.isDecorated(like: draw))
    guard !isSame || !isDecorated else { return keep(held, as: held) }
    let tile = held.showing(layers, draw, canvas: canvas, plans: &plans)
    if !isSame {
      damage.insert(held.extent)
      damage.insert(tile.extent)
    } else {
      damage.insertDecorations(from: held, to: tile)
    }
    keep(held, as: tile)
  }

  private mutating func keep(_ held: Tile, as tile: Tile) {
    if held.extent == tile.extent { staying += 1 }
    if !tile.extent.isEmpty { next.append(tile) }
  }

  /// Compares what lies over all tiles, and adds what it changes to `damage`.
  mutating func place(_ sprites: [SpriteDraw], canvas: PixelSize, damage: inout Damage) {
    guard sprites != self.sprites else { return }
    damage.insertChanges(from: self.sprites, to: sprites) {
      $0.area(from: (0, 0)).intersection(PixelRect(canvas))
    }
    self.sprites = sprites
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
      let visible = tiles[index].visible(plane: 1)
      tiles[index].isBare =
        tiles[index].second == nil && ground?.picture == nil
        && tiles[..<index].allSatisfy { $0.extent.chroma.intersection(visible).isEmpty }
    }
  }

  /// Damages the held tiles from the cursor to `last`, which are gone from their places.
  private mutating func drop(through last: Int, damage: inout Damage) {
    guard cursor <= last else { return }
    for gone in tiles[cursor...last] { damage.insert(gone.extent) }
    cursor = last + 1
  }
}
