internal import TesseraPixels

/// The record of what was last drawn onto a canvas. Computes the damage that the next scene causes.
struct CanvasState {
  /// The background below all tiles. A change of it damages the whole canvas.
  struct Background: Equatable {
    var background: Color
    var picture: Picture?
    var filter: ResampleFilter
  }

  /// The tiles on the canvas, back to front.
  private(set) var tiles: [Tile] = []
  private var next: [Tile] = []
  private var ground: Background?
  private var sprites: [SpritePlacement] = []
  /// The index of the first tile on the canvas that no tile of the new scene has passed.
  private var cursor = 0
  /// The number of tiles of the new scene with an unchanged place and extent.
  private var staying = 0

  /// Discards the record. The next scene damages the whole canvas.
  mutating func invalidate() {
    ground = nil
  }

  /// Starts the comparison with a new scene. Adds the whole canvas to `damage` if `ground` has
  /// changed.
  mutating func begin(_ ground: Background, canvas: PixelSize, damage: inout CanvasDamage) {
    if self.ground != ground {
      tiles.removeAll(keepingCapacity: true)
      damage.insert(PixelRect(canvas))
    }
    self.ground = ground
    next.removeAll(keepingCapacity: true)
    (cursor, staying) = (0, 0)
  }

  /// Compares the next tile of the new scene, back to front, with the canvas, and adds its old and
  /// new area to `damage` if it changes.
  ///
  /// Recorded tiles that the new scene skips count as removed from their place in the order.
  mutating func place(
    _ draw: TilePlacement, _ layers: TileBlend, canvas: PixelSize, plans: inout TilePlanCache,
    damage: inout CanvasDamage
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

  /// Compares the sprites above all tiles with the canvas and adds their changes to `damage`.
  mutating func place(_ sprites: [SpritePlacement], canvas: PixelSize, damage: inout CanvasDamage) {
    guard sprites != self.sprites else { return }
    damage.insertChanges(from: self.sprites, to: sprites) {
      $0.area(from: (0, 0)).intersection(PixelRect(canvas))
    }
    self.sprites = sprites
  }

  /// Ends the comparison. Recorded tiles above the last match count as removed.
  mutating func end(damage: inout CanvasDamage) {
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

  /// Adds the recorded tiles from the cursor to the index `last`, which the new scene removes, to
  /// `damage`.
  private mutating func drop(through last: Int, damage: inout CanvasDamage) {
    guard cursor <= last else { return }
    for gone in tiles[cursor...last] { damage.insert(gone.extent) }
    cursor = last + 1
  }
}
