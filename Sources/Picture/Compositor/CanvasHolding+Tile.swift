internal import TesseraPixels

extension CanvasHolding {
  /// What distinguishes one content from another.
  enum Identity: Hashable {
    case fill(Color)
    case picture(UInt64)
    case card(ObjectIdentifier)

    init(_ layer: TileLayer) {
      switch layer {
      case .fill(let color): self = .fill(color)
      case .picture(let picture): self = .picture(picture.identity)
      case .card(let card): self = .card(ObjectIdentifier(card))
      }
    }
  }

  /// One of the things that a tile shows, as it is drawn.
  struct Layer {
    var identity: Identity
    /// The shape of the picture, or nil for a color.
    let shape: TilePlan.Shape?
    var plan: TilePlan

    init(
      _ layer: TileLayer, _ draw: TileDraw, canvas: PixelSize, plans: inout TilePlanCache
    ) {
      identity = Identity(layer)
      shape = layer.picture.map(TilePlan.Shape.init)
      plan = plans.plan(TilePlan.Key(draw, canvas: canvas, picture: shape))
    }

    /// The same place, showing something else of the same shape.
    func showing(_ layer: TileLayer) -> Layer {
      var other = self
      other.identity = Identity(layer)
      return other
    }
  }

  /// One tile as it is drawn.
  struct Tile {
    var draw: TileDraw
    var first: Layer
    /// What the first layer is mixed with.
    var second: Layer?
    /// The weight of the second layer.
    var weight: UInt8
    /// All luma samples that the tile may touch.
    var extent: PixelRect
    /// Whether nothing but the background's color lies below the tile's content.
    var isBare = false

    init(
      _ draw: TileDraw, _ layers: TileLayers, canvas: PixelSize, plans: inout TilePlanCache
    ) {
      self.draw = draw
      first = Layer(layers.first, draw, canvas: canvas, plans: &plans)
      second = layers.second.map { Layer($0, draw, canvas: canvas, plans: &plans) }
      weight = layers.weight
      extent = .empty
      findExtent()
    }

    /// Whether pictures of the same shapes lie in the same place.
    func isPlaced(like draw: TileDraw, _ layers: TileLayers) -> Bool {
      self.draw.isPlaced(like: draw) && (second == nil) == (layers.second == nil)
        && first.shape == layers.first.picture.map(TilePlan.Shape.init)
        && second?.shape == layers.second?.picture.map(TilePlan.Shape.init)
    }

    /// Whether exactly this is shown.
    func shows(_ layers: TileLayers) -> Bool {
      first.identity == Identity(layers.first) && weight == layers.weight
        && second?.identity == layers.second.map(Identity.init)
    }

    /// The tile in the same place, showing pictures of the same shapes.
    func showing(
      _ layers: TileLayers, _ draw: TileDraw, canvas: PixelSize, plans: inout TilePlanCache
    ) -> Tile {
      guard self.draw.border?.width == draw.border?.width else {
        return Tile(draw, layers, canvas: canvas, plans: &plans)
      }
      var tile = self
      tile.draw = draw
      tile.first = first.showing(layers.first)
      if let shown = layers.second { tile.second = second?.showing(shown) }
      tile.weight = layers.weight
      tile.findExtent()
      return tile
    }

    private mutating func findExtent() {
      extent = first.plan.extent(draw)
      if let second { extent = extent.union(second.plan.extent(draw)) }
    }

    /// All samples of one kind of plane that the content may touch.
    func visible(plane index: Int) -> PixelRect {
      let visible = first.plan.planes[index].visible
      return second.map { visible.union($0.plan.planes[index].visible) } ?? visible
    }

    /// The samples of one kind of plane below which nothing has to be drawn.
    func hides(plane index: Int) -> PixelRect {
      if isBare { return first.plan.planes[index].visible }
      return second == nil ? first.plan.planes[index].opaque : .empty
    }
  }
}
