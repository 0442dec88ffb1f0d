internal import TesseraPixels

extension CanvasState {
  /// The identity of a tile's content, used to detect changes. Equal identities mean equal samples.
  enum ContentIdentity: Hashable {
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

  /// One of the contents that a tile shows, with its plan. A tile has two layers during a
  /// crossfade.
  struct Layer {
    var identity: ContentIdentity
    /// The properties of the picture that the plan depends on; `nil` for a color or card.
    let shape: TilePlan.PictureShape?
    var plan: TilePlan

    init(
      _ layer: TileLayer, _ draw: TilePlacement, canvas: PixelSize, plans: inout TilePlanCache
    ) {
      identity = ContentIdentity(layer)
      shape = layer.picture.map(TilePlan.PictureShape.init)
      plan = plans.plan(TilePlan.Key(draw, canvas: canvas, picture: shape))
    }

    /// Returns this layer with another content of the same shape.
    func showing(_ layer: TileLayer) -> Layer {
      var other = self
      other.identity = ContentIdentity(layer)
      return other
    }
  }

  /// One tile as drawn on the canvas.
  struct Tile {
    var draw: TilePlacement
    var first: Layer
    /// The layer that the first one is mixed with during a crossfade; otherwise `nil`.
    var second: Layer?
    /// The weight of the second layer in 1/256, below 255; 0 without one.
    var weight: UInt8
    /// The bounds of all luma samples that the tile may touch.
    var extent: PixelRect
    /// True if only the background color is below the tile's content.
    var isBare = false

    init(
      _ draw: TilePlacement, _ layers: TileBlend, canvas: PixelSize, plans: inout TilePlanCache
    ) {
      self.draw = draw
      first = Layer(layers.first, draw, canvas: canvas, plans: &plans)
      second = layers.second.map { Layer($0, draw, canvas: canvas, plans: &plans) }
      weight = layers.weight
      extent = .empty
      findExtent()
    }

    /// True if the tile has the placement of `draw` and pictures of the same shapes.
    func isPlaced(like draw: TilePlacement, _ layers: TileBlend) -> Bool {
      self.draw.isPlaced(like: draw) && (second == nil) == (layers.second == nil)
        && first.shape == layers.first.picture.map(TilePlan.PictureShape.init)
        && second?.shape == layers.second?.picture.map(TilePlan.PictureShape.init)
    }

    /// True if the tile shows exactly `layers`.
    func shows(_ layers: TileBlend) -> Bool {
      first.identity == ContentIdentity(layers.first) && weight == layers.weight
        && second?.identity == layers.second.map(ContentIdentity.init)
    }

    /// Returns this tile with new contents of the same shapes and new decorations in the same
    /// place.
    func showing(
      _ layers: TileBlend, _ draw: TilePlacement, canvas: PixelSize, plans: inout TilePlanCache
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

    /// Returns the bounds of the samples of plane `index` (0: luma, otherwise chroma) that the
    /// content may touch.
    func visible(plane index: Int) -> PixelRect {
      let visible = first.plan.planes[index].visible
      return second.map { visible.union($0.plan.planes[index].visible) } ?? visible
    }

    /// Returns the samples of plane `index` below which no background has to be drawn.
    func hides(plane index: Int) -> PixelRect {
      if isBare { return first.plan.planes[index].visible }
      return second == nil ? first.plan.planes[index].opaque : .empty
    }
  }
}
