/// Named regions, each a grid of cells for the sources that its patterns name: Twilio's
/// `video_layout`, with the additions of Sora's hisui.
///
/// A source keeps its cell for life, so the cells are dealt out to everyone who is ever in the
/// recording (``LayoutContext/cast``). A source that several regions show has a place in each.
public struct RegionLayout: LayoutPolicy, Hashable {
  /// The regions, in the order of their names.
  public let regions: [Region]
  /// The canvas that the file asks for; nil where it does not.
  public let resolution: Size?

  /// A layout of `regions` for a canvas of size `resolution`.
  public init(regions: [Region], resolution: Size? = nil) {
    self.regions = regions.sorted { $0.name < $1.name }
    self.resolution = resolution
  }

  public var overflow: Overflow { .everyone }

  public func validate(canvas: Size) throws(LayoutError) {
    for region in regions {
      try region.validate("width", region.x, region.width, canvas.width)
      try region.validate("height", region.y, region.height, canvas.height)
    }
  }

  public func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old) || new.cast != old.cast
      || !new.items.elementsEqual(old.items) { $0.sources == $1.sources }
  }

  public func prepare(_ context: LayoutContext) -> Arrangement {
    let indexes = Dictionary(
      context.items.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
    let attributes = regions.enumerated().flatMap { instance, region in
      let seats = RegionSeats(region, cast: context.cast, canvas: context.canvas)
      return seats.seen(indexes).map { index, cell in
        var attributes = LayoutAttributes(
          context.items[index], frame: seats.grid.cell(cell), zIndex: region.z, fit: .contain)
        attributes.instance = instance
        return attributes
      }
    }
    return Arrangement(contentSize: context.canvas, attributes: attributes)
  }

  public func sizeThatFits(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double
  ) -> Size {
    resolution ?? proposal.widescreen
  }
}

extension Region {
  /// Refuses a side that leaves the canvas.
  fileprivate func validate(
    _ key: String, _ position: Int, _ extent: Extent, _ canvas: Double
  ) throws(LayoutError) {
    let length =
      switch extent {
      case .remaining: 2
      case .region(let length), .cell(let length): length
      }
    guard Double(position + length) > canvas else { return }
    throw .invalidValue(
      key: "\(name).\(key)",
      reason: "reaches to pixel \(position + length) of a canvas of \(Int(canvas)): "
        + "move or shrink the region")
  }
}
