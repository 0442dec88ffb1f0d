public import Pixels

/// Draws scenes onto canvases, touching only what changed.
///
/// Composing is total and, for pictures and geometries seen before, allocates nothing.
public struct Compositor: ~Copyable {
  private let filter: ResampleFilter
  private var plans: TilePlanCache
  private var painter: TilePainter
  /// The scene's tiles from bottom to top, as indexes, and the plan of each one.
  private var order: [Int] = []
  private var tilePlans: [TilePlan] = []
  private var damage = Region()
  private var uncovered = Region()

  /// A compositor that scales with `filter`.
  public init(kernels: Kernels = Kernels(), filter: ResampleFilter = .bicubic) {
    self.filter = filter
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
    clear(scene, canvas, &statistics)
    draw(scene, frames, canvas, &statistics)
    return statistics
  }

  /// Orders the tiles from bottom to top. Insertion: scenes come nearly sorted.
  private mutating func sort(_ tiles: [TileDraw]) {
    order.removeAll(keepingCapacity: true)
    for index in tiles.indices {
      let place = order.lastIndex { tiles[$0].zIndex <= tiles[index].zIndex }
      order.insert(index, at: place.map { $0 + 1 } ?? 0)
    }
  }

  /// Looks up every tile's plan and finds what has to be drawn again.
  private mutating func findDamage(
    _ scene: borrowing Scene, _ frames: borrowing FrameSet, _ canvas: inout Canvas
  ) {
    let whole = PixelRect(scene.size)
    damage.removeAll()
    tilePlans.removeAll(keepingCapacity: true)
    canvas.holding.begin(
      background: scene.background, filter: filter, canvas: whole, damage: &damage)
    for index in order {
      let tile = scene.tiles[index]
      let content = frames.contents[tile.item]
      let plan = plans.plan(TilePlan.Key(tile, canvas: scene.size, picture: content.picture))
      tilePlans.append(plan)
      canvas.holding.compare(
        CanvasHolding.Tile(
          draw: tile, content: CanvasHolding.ContentIdentity(content),
          extent: plan.extent(tile, content)),
        damage: &damage)
    }
    canvas.holding.end(damage: &damage)
  }

  /// Fills with background what is damaged and no opaque tile covers.
  private mutating func clear(
    _ scene: borrowing Scene, _ canvas: borrowing Canvas, _ statistics: inout ComposeStatistics
  ) {
    uncovered.removeAll()
    for rectangle in damage.rectangles { uncovered.insert(rectangle) }
    for plan in tilePlans where !uncovered.isEmpty { uncovered.subtract(plan.opaque) }
    for rectangle in uncovered.rectangles {
      painter.fill(rectangle, with: scene.background, on: canvas, &statistics)
    }
  }

  /// Draws the damaged parts of all tiles from bottom to top.
  private mutating func draw(
    _ scene: borrowing Scene, _ frames: borrowing FrameSet, _ canvas: borrowing Canvas,
    _ statistics: inout ComposeStatistics
  ) {
    guard !damage.isEmpty else { return }
    for (place, index) in order.enumerated() {
      let tile = scene.tiles[index]
      let plan = tilePlans[place]
      let content = frames.contents[tile.item]
      let extent = plan.extent(tile, content)
      guard damage.rectangles.contains(where: { $0.intersects(extent.roundedOutToEven) }) else {
        continue
      }
      statistics.tilesRedrawn += 1
      painter.begin(tile, content, plan)
      if damage.contains(extent) {
        painter.paint(extent, on: canvas, &statistics)
        continue
      }
      for rectangle in damage.rectangles {
        let part = rectangle.intersection(extent.roundedOutToEven)
        if !part.isEmpty { painter.paint(part, on: canvas, &statistics) }
      }
    }
  }
}
