import TesseraDocuments
import TesseraTimeline

/// Named regions, each a grid of cells for the sources that match its patterns: Twilio's
/// `video_layout`, with the additions of Sora's hisui.
///
/// A source keeps its cell for life, so cells are assigned to all items that ever appear
/// (``LayoutContext/allItems``). A source that several regions show has a place in each.
package struct RegionLayout: LayoutPolicy, Hashable {
  package var namesItsSources: Bool { true }

  /// The regions, in the order of their names.
  package let regions: [LayoutRegion]
  /// The canvas size from the file, otherwise the extent of its regions; `nil` if the regions adapt
  /// to any canvas.
  package let resolution: Size?

  /// The keys of the layout file that do not concern the layout, in the order of the file.
  package internal(set) var ignoredKeys: [String] = []

  /// Creates a layout of `regions`. If `resolution` is `nil`, it is computed from the regions'
  /// extents.
  package init(regions: [LayoutRegion], resolution: Size? = nil) {
    self.regions = regions.sorted { $0.name < $1.name }
    self.resolution = resolution ?? Self.extent(of: regions)
  }

  /// Returns the smallest even canvas that contains all regions; `nil` if the size of a region
  /// depends on the canvas.
  private static func extent(of regions: [LayoutRegion]) -> Size? {
    var extent = Size(width: 0, height: 0)
    for region in regions {
      guard case .region(let width) = region.width, case .region(let height) = region.height
      else { return nil }
      extent.width = max(extent.width, Double(region.x + width))
      extent.height = max(extent.height, Double(region.y + height))
    }
    func even(_ length: Double) -> Double { (length / 2).rounded(.up) * 2 }
    return regions.isEmpty ? nil : Size(width: even(extent.width), height: even(extent.height))
  }

  package var overflow: OverflowRule { .everyone }

  /// The color of cells without a source and of the part of a cell that a picture leaves: black.
  package var background: UInt32? { 0x000000 }

  package func validate(canvas: Size, allItems: [LayoutItem]) throws(LayoutError) {
    for region in regions {
      try region.validate(("x_pos", "width"), region.x, region.width, canvas.width)
      try region.validate(("y_pos", "height"), region.y, region.height, canvas.height)
      if !allItems.isEmpty { try region.validate(allItems: allItems) }
    }
  }

  /// True if a region shows the item, or no region excludes it by name.
  package func applies(to item: LayoutItem) -> Bool {
    regions.contains { $0.shows(item.sources) } || !regions.contains { $0.excludes(item.sources) }
  }

  package func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old) || new.allItems != old.allItems
      || !new.items.elementsEqual(old.items) { $0.sources == $1.sources }
  }

  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
    let indexes = Dictionary(
      context.items.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
    let attributes = regions.enumerated().flatMap { instance, region in
      let seats = RegionCellAssignment(region, allItems: context.allItems, canvas: context.canvas)
      return seats.seen(indexes).map { index, cell in
        var attributes = LayoutAttributes(
          context.items[index], frame: seats.grid.cell(cell), zIndex: region.z, fit: .contain)
        attributes.instance = instance
        return attributes
      }
    }
    return LayoutArrangement(contentSize: context.canvas, attributes: attributes)
  }

  package func sizeThatFits(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double
  ) -> Size {
    resolution ?? proposal.widescreen
  }
}

extension LayoutRegion {
  /// Throws ``LayoutError`` if a side of the region extends beyond the canvas.
  fileprivate func validate(
    _ keys: (position: String, extent: String), _ position: Int, _ extent: Extent,
    _ canvas: Double
  ) throws(LayoutError) {
    let (key, length) =
      switch extent {
      case .remaining: (keys.position, 2)
      case .region(let length): (keys.extent, length)
      case .cell(let length): ("cell_" + keys.extent, length)
      }
    guard Double(position + length) > canvas else { return }
    throw .invalidValue(
      key: "\(name).\(key)",
      reason: "reaches to pixel \(position + length) of a canvas of \(Int(saturating: canvas)): "
        + "move or shrink the region")
  }

  /// Throws ``LayoutError`` if a source matches no item of `allItems`. A pattern with `*` need not
  /// match any.
  fileprivate func validate(allItems: [LayoutItem]) throws(LayoutError) {
    let known = Set(allItems.flatMap(\.sources))
    guard let source = sources.first(where: { !$0.contains("*") && !known.contains($0) }) else {
      return
    }
    let names = allItems.compactMap(\.sources.first)
    let suggestion =
      source.nearest(among: names).map { "did you mean \"\($0)\"?" }
      ?? "there are \(names.joined(separator: ", "))"
    throw .invalidValue(
      key: "\(name).video_sources",
      reason: "names \"\(source)\", which matches no participant: \(suggestion)")
  }
}
