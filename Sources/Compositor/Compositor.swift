public import TesseraPixels

/// Draws scenes onto canvases, touching only what changed.
///
/// Composing is total and, for pictures and geometries seen before, allocates nothing.
public struct Compositor: ~Copyable {
  private let filter: ResampleFilter
  private let kernels: Kernels
  private var plans: TilePlanCache
  private var painter: TilePainter
  /// The scene's tiles from bottom to top, as indexes.
  private var order: [Int] = []
  /// What the last composition drew anew.
  public private(set) var damage = Damage()
  /// What of the damage is left to do for one plane or one tile.
  private var pending = Planar(luma: Region(), chroma: Region())

  /// A compositor that scales with `filter`.
  public init(kernels: Kernels = Kernels(), filter: ResampleFilter = .bicubic) {
    self.filter = filter
    self.kernels = kernels
    self.plans = TilePlanCache(filter: filter, kernels: kernels)
    self.painter = TilePainter(kernels: kernels)
  }

  /// Brings `canvas` to show `scene` with `frames`.
  ///
  /// - Precondition: the canvas has the scene's size, and every tile's item is in `frames`.
  public mutating func compose(
    _ scene: borrowing Scene, _ frames: borrowing FrameSet, onto canvas: inout Canvas
  ) -> ComposeStatistics {
    precondition(canvas.size == scene.size)
    sort(scene.tiles)
    findDamage(scene, frames, &canvas)
    var statistics = ComposeStatistics()
    guard !damage.isEmpty else { return statistics }
    clear(scene.background, canvas, &statistics)
    draw(frames, scene.background, canvas, &statistics)
    return statistics
  }

  /// Orders the tiles from bottom to top. Insertion: scenes come nearly sorted.
  private mutating func sort(_ tiles: [TileDraw]) {
    order.removeAll(keepingCapacity: true)
    for index in tiles.indices {
      var place = order.count
      while place > 0, tiles[order[place - 1]].zIndex > tiles[index].zIndex { place -= 1 }
      order.insert(index, at: place)
    }
  }

  /// Finds what has to be drawn again.
  private mutating func findDamage(
    _ scene: borrowing Scene, _ frames: borrowing FrameSet, _ canvas: inout Canvas
  ) {
    damage.removeAll()
    canvas.holding.begin(
      background: scene.background, filter: filter, canvas: scene.size, damage: &damage)
    for index in order where scene.tiles[index].alpha > 0 {
      let content = frames.contents[scene.tiles[index].item]
      if case .empty = content { continue }
      canvas.holding.place(
        scene.tiles[index], content, canvas: scene.size, plans: &plans, damage: &damage)
    }
    canvas.holding.end(damage: &damage)
  }

  /// Fills with background what is damaged and no opaque or bare tile covers.
  private mutating func clear(
    _ background: Color, _ canvas: borrowing Canvas, _ statistics: inout ComposeStatistics
  ) {
    pending.luma.assign(damage.regions.luma)
    pending.chroma.assign(damage.regions.chroma)
    for tile in canvas.holding.tiles {
      let planes = tile.plan.planes
      pending.luma.subtract(tile.isBare ? planes.luma.visible : planes.luma.opaque)
      pending.chroma.subtract(tile.isBare ? planes.chroma.visible : planes.chroma.opaque)
    }
    for index in 0..<3 {
      let plane = canvas.image[plane: index]
      let value = background.sample(plane: index)
      for rectangle in pending[index].rectangles {
        statistics.add(rectangle.size.area, plane: index)
        for y in rectangle.rows {
          kernels.fill(plane.row(y, rectangle.columns), with: value)
        }
      }
    }
  }

  /// Draws the damaged parts of all tiles from bottom to top.
  private mutating func draw(
    _ frames: borrowing FrameSet, _ background: Color, _ canvas: borrowing Canvas,
    _ statistics: inout ComposeStatistics
  ) {
    for tile in canvas.holding.tiles {
      pending.luma.formIntersection(tile.extent, with: damage.regions.luma)
      pending.chroma.formIntersection(tile.extent.chroma, with: damage.regions.chroma)
      guard !pending.chroma.isEmpty else { continue }
      statistics.tilesRedrawn += 1
      painter.paint(
        tile, frames.contents[tile.draw.item], damage: pending, background: background,
        onto: canvas.image, &statistics)
    }
  }
}
