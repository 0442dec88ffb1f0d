package import TesseraPixels

/// Draws scenes onto canvases and touches only the samples that changed.
///
/// ``compose(_:_:onto:)`` finds the damage (``CanvasState``) and paints it tile by tile
/// (``TilePainter``). It cannot fail, and for pictures and geometries seen before it allocates
/// nothing.
package struct Compositor: ~Copyable {
  private let filter: ResampleFilter
  private let kernels: PixelKernels
  private var plans: TilePlanCache
  private var painter: TilePainter
  /// The indexes of the scene's tiles, back to front.
  private var order: [Int] = []
  /// The samples drawn by the last composition.
  package private(set) var damage = CanvasDamage()
  private var softs: BlurSources
  /// The background picture drawn at canvas size; `nil` if there is none.
  private var backdrop: (picture: Picture, image: BackgroundPicture)?
  /// A second canvas for the content that a crossfading tile changes to.
  private var second = ScratchImage()
  /// Rows as wide as the canvas: `weights` for one constant weight, `scaled` for coverage.
  private var weights = ScratchImage()
  private var scaled = ScratchImage()
  /// The part of the damage in progress, for one plane or one tile.
  private var pending = PlanePair(luma: PixelRectSet(), chroma: PixelRectSet())

  /// Creates a compositor that scales pictures with `filter`.
  package init(kernels: PixelKernels = PixelKernels(), filter: ResampleFilter = .bicubic) {
    self.filter = filter
    self.kernels = kernels
    self.plans = TilePlanCache(filter: filter, kernels: kernels)
    self.painter = TilePainter(kernels: kernels)
    self.softs = BlurSources(kernels: kernels)
  }

  /// Draws `scene` with the contents `frames` onto `canvas`, as far as it changed since the
  /// canvas's last composition.
  ///
  /// - Precondition: The canvas has the scene's size, and `frames` has contents for every tile's
  ///   item.
  package mutating func compose(
    _ scene: borrowing Scene, _ frames: borrowing ItemContents, onto canvas: inout Canvas
  ) -> ComposeStatistics {
    precondition(canvas.size == scene.size)
    sort(scene.tiles)
    findDamage(scene, frames, &canvas)
    var statistics = ComposeStatistics()
    guard !damage.isEmpty else { return statistics }
    clear(scene, canvas, &statistics)
    draw(frames, scene.background, canvas, &statistics)
    draw(scene.sprites, canvas, &statistics)
    return statistics
  }

  /// Sorts the tiles back to front by insertion, because scenes are nearly sorted.
  private mutating func sort(_ tiles: [TilePlacement]) {
    order.removeAll(keepingCapacity: true)
    for index in tiles.indices {
      var place = order.count
      while place > 0, tiles[order[place - 1]].zIndex > tiles[index].zIndex { place -= 1 }
      order.insert(index, at: place)
    }
  }

  /// Computes ``damage`` from the difference between the scene and the canvas.
  private mutating func findDamage(
    _ scene: borrowing Scene, _ frames: borrowing ItemContents, _ canvas: inout Canvas
  ) {
    damage.removeAll()
    canvas.state.begin(
      CanvasState.Background(
        background: scene.background, picture: scene.backgroundPicture, filter: filter),
      canvas: scene.size, damage: &damage)
    for index in order where scene.tiles[index].alpha > 0 {
      guard let layers = TileBlend(frames.contents[scene.tiles[index].item]) else { continue }
      canvas.state.place(
        scene.tiles[index], layers, canvas: scene.size, plans: &plans, damage: &damage)
    }
    canvas.state.place(scene.sprites, canvas: scene.size, damage: &damage)
    canvas.state.end(damage: &damage)
  }

  /// Fills the damaged samples that no opaque or bare tile covers with the background.
  private mutating func clear(
    _ scene: borrowing Scene, _ canvas: borrowing Canvas, _ statistics: inout ComposeStatistics
  ) {
    pending.luma.assign(damage.regions.luma)
    pending.chroma.assign(damage.regions.chroma)
    for tile in canvas.state.tiles {
      pending.luma.subtract(tile.hides(plane: 0))
      pending.chroma.subtract(tile.hides(plane: 1))
    }
    let backdrop = backdrop(scene)
    for index in 0..<3 {
      let plane = canvas.image[plane: index]
      let value = scene.background.sample(plane: index)
      for rectangle in pending[index].rectangles {
        statistics.add(rectangle.size.area, plane: index)
        for y in rectangle.rows {
          let row = plane.row(y, rectangle.columns)
          if let backdrop {
            let source = backdrop.image[plane: index].readOnly
            kernels.copy(source.row(y, rectangle.columns), to: row)
          } else {
            kernels.fill(row, with: value)
          }
        }
      }
    }
  }

  /// Returns the background picture at canvas size, drawn again if picture or size changed; `nil`
  /// if the scene has none.
  private mutating func backdrop(_ scene: borrowing Scene) -> BackgroundPicture? {
    guard let picture = scene.backgroundPicture else { return nil }
    if let backdrop, backdrop.picture === picture, backdrop.image.image.size == scene.size {
      return backdrop.image
    }
    let image = BackgroundPicture(picture, size: scene.size, plans: &plans, painter: &painter)
    backdrop = (picture, image)
    return image
  }

  /// Draws the damaged parts of all tiles, back to front.
  private mutating func draw(
    _ frames: borrowing ItemContents, _ background: Color, _ canvas: borrowing Canvas,
    _ statistics: inout ComposeStatistics
  ) {
    for tile in canvas.state.tiles {
      pending.luma.formIntersection(tile.extent, with: damage.regions.luma)
      pending.chroma.formIntersection(tile.extent.chroma, with: damage.regions.chroma)
      guard !pending.chroma.isEmpty,
        let layers = TileBlend(frames.contents[tile.draw.item])
      else { continue }
      statistics.tilesRedrawn += 1
      let first = subject(tile, tile.first, layers.first, 0)
      guard let over = tile.second, let shown = layers.second else {
        painter.paint(
          first, damage: pending, background: background, onto: canvas.image, &statistics)
        continue
      }
      let second = subject(tile, over, shown, 1)
      blend(first, second, weight: tile.weight, background, canvas, &statistics)
    }
  }

  private mutating func subject(
    _ tile: CanvasState.Tile, _ layer: CanvasState.Layer, _ shown: TileLayer, _ index: Int
  ) -> TilePainter.PaintedTile {
    var soft: BlurSource?
    if let plan = layer.plan.soft, let picture = shown.picture {
      soft = softs.copy(of: picture, item: tile.draw.item, layer: index, plan: plan)
    }
    return TilePainter.PaintedTile(
      draw: tile.draw, plan: layer.plan, shown: shown, soft: soft, isBare: tile.isBare)
  }

  /// Draws the pending part of a crossfading tile: each content over a copy of what is below, then
  /// the mix of both by `weight`.
  private mutating func blend(
    _ one: TilePainter.PaintedTile, _ other: TilePainter.PaintedTile, weight: UInt8,
    _ background: Color,
    _ canvas: borrowing Canvas, _ statistics: inout ComposeStatistics
  ) {
    second.prepare(canvas.size)
    weights.prepare(PixelSize(width: canvas.size.width, height: 1))
    kernels.fill(weights.row(canvas.size.width), with: weight)
    for index in 0..<3 {
      let (below, plane) = (second.plane(index), canvas.image[plane: index])
      for rectangle in pending[index].rectangles {
        for y in rectangle.rows {
          kernels.copy(
            plane.readOnly.row(y, rectangle.columns), to: below.row(y, rectangle.columns))
        }
      }
    }
    painter.paint(one, damage: pending, background: background, onto: canvas.image, &statistics)
    var extra = ComposeStatistics()
    painter.paint(other, damage: pending, background: background, onto: second.image, &extra)
    for index in 0..<3 {
      let (shown, plane) = (second.plane(index), canvas.image[plane: index])
      for rectangle in pending[index].rectangles {
        for y in rectangle.rows {
          kernels.blend(
            shown.readOnly.row(y, rectangle.columns), over: plane.row(y, rectangle.columns),
            coverage: weights.row(rectangle.width).readOnly)
        }
      }
    }
  }

  /// Draws the damaged parts of the sprites above all tiles.
  private mutating func draw(
    _ sprites: [SpritePlacement], _ canvas: borrowing Canvas, _ statistics: inout ComposeStatistics
  ) {
    guard !sprites.isEmpty else { return }
    scaled.prepare(PixelSize(width: canvas.size.width, height: 1))
    for index in 0..<3 {
      let plane = canvas.image[plane: index]
      for item in sprites {
        let ink = SpritePlane(
          item.sprite, at: item.area(from: (0, 0)), clippedTo: PixelRect(canvas.size),
          opacity: item.opacity, plane: index)
        guard let ink else { continue }
        for rectangle in damage.regions[index].rectangles {
          let part = rectangle.intersection(ink.area)
          guard !part.isEmpty else { continue }
          statistics.add(part.size.area, plane: index)
          for y in part.rows {
            ink.lay(
              over: plane.row(y, part.columns), y: y, part.columns,
              scratch: scaled.row(part.width), kernels: kernels)
          }
        }
      }
    }
  }
}
