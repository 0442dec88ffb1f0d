/// Tiles that fill the canvas (``TileRowSearch``), or the packing algorithm of opentok-layout-js.
///
/// The packing applies while an item is big or if an option is given. Tile shapes vary between two
/// limits, and the packing with the most tile area wins. Big tiles get an area of their own beside
/// the small ones.
///
/// Focused items and screens are big. All ratios are height over width, as in the original. Unlike
/// there, screens on an upright canvas take no more of it than their pictures need.
package struct BestFitLayout: FixedPlacesLayout, Hashable {
  /// The order of the areas for big and small tiles.
  package enum BigFirst: String, Hashable, Sendable, CaseIterable {
    /// Big tiles are above or left of small ones.
    case always = "on"
    /// Big tiles are below or right of small ones.
    case never = "off"
    /// Big tiles are above or right of small ones.
    case row
    /// Big tiles are below or left of small ones.
    case column
  }

  /// The fraction of the canvas for big tiles, above 0 and below 1.
  package var bigFraction = 0.8
  /// The least fraction of the canvas that big tiles keep if they need less than ``bigFraction``; 0
  /// always gives them ``bigFraction``.
  package var leastBigFraction = 0.0
  package var bigFirst = BigFirst.always
  /// The packing of tiles if no item is big.
  package var packing = TilePacking()
  /// The packing of the big tiles.
  package var bigPacking = TilePacking()
  /// The packing of the small tiles beside big ones.
  package var smallPacking = TilePacking()

  /// True if tiles fill the canvas (``TileRowSearch``) while no item is big.
  package var fills = true

  /// Creates the default layout: big tiles take 0.8 of the canvas.
  package init() {}

  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
    let items = context.items
    let isBig = items.map { $0.isFocused || $0.kind == .screen }
    let bounds = context.tilingBounds
    if fills, !isBig.contains(true), let rows = TileRowSearch(items, in: bounds, context) {
      return LayoutArrangement(contentSize: context.canvas, attributes: rows.attributes)
    }
    var frames = [Rect](repeating: bounds, count: items.count)
    func pack(_ indexes: [Int], _ packing: TilePacking, in area: Rect) {
      let boxes = packing.boxes(ratios(indexes), in: area.size)
      for (index, box) in zip(indexes, boxes) {
        frames[index] = box.translated(by: Point(x: area.x, y: area.y))
      }
    }
    func ratios(_ indexes: [Int]) -> [Double] { indexes.map { 1 / items[$0].packedAspectRatio } }
    if fills, context.isCoveredByOne {
      return LayoutArrangement(
        contentSize: context.canvas,
        attributes: [LayoutAttributes(items[0], frame: context.frame(ofCell: bounds))])
    }
    let big = items.indices.filter { isBig[$0] }
    let small = items.indices.filter { !isBig[$0] }
    if !big.isEmpty, !small.isEmpty {
      var layout = self
      if context.isUpright, big.allSatisfy({ items[$0].kind == .screen }) {
        layout.bigPacking.isFixed = true
        layout.leastBigFraction = max(leastBigFraction, Self.leastUprightFraction)
      }
      let areas = layout.areas(bounds, big: ratios(big), small: ratios(small))
      pack(big, layout.bigPacking, in: areas.big)
      pack(small, smallPacking, in: areas.small)
    } else {
      pack(Array(items.indices), big.isEmpty ? packing : bigPacking, in: bounds)
    }
    let attributes = items.enumerated().map { index, item in
      var attributes = LayoutAttributes(
        item, frame: context.frame(ofCell: frames[index]), traits: isBig[index] ? .large : [])
      if context.isFilled(attributes.frame.size, by: item) { attributes.coverage = 1 }
      return attributes
    }
    return LayoutArrangement(contentSize: context.canvas, attributes: attributes)
  }

  /// The least fraction of an upright canvas that screens keep.
  private static let leastUprightFraction = 0.25

  /// Returns the areas of the big and small tiles, given the pictures' ratios. The areas are
  /// stacked if the canvas is taller than the first big picture, otherwise side by side.
  private func areas(_ bounds: Rect, big: [Double], small: [Double]) -> (big: Rect, small: Rect) {
    let isTall = bounds.height / bounds.width > big[0]
    let axis = isTall ? LayoutAxis.vertical : .horizontal
    let isFirst = bigFirst == .always || bigFirst == (isTall ? .row : .column)
    let length = bigLength(bounds.size, big: big, small: small, along: axis)
    let position: FilmstripLayout.Position =
      isTall ? (isFirst ? .bottom : .top) : (isFirst ? .right : .left)
    let parts = bounds.divided(large: length, stripAt: position)
    return (parts.large, parts.strip)
  }

  /// Returns the length of the big tiles' area: their fraction, or what they need of it, but at
  /// least so much that the small tiles leave no gap.
  private func bigLength(
    _ bounds: Size, big: [Double], small: [Double], along axis: LayoutAxis
  ) -> Double {
    func area(_ length: Double) -> Size {
      axis == .vertical
        ? Size(width: bounds.width, height: length) : Size(width: length, height: bounds.height)
    }
    let extent = bounds.length(axis)
    let most = (extent * bigFraction).rounded(.down)
    guard leastBigFraction > 0 else { return most }
    let needed = bigPacking.extent(of: big, in: area(most), along: axis)
    let length = max(extent * leastBigFraction, min(most, needed))
    let boxes = smallPacking.boxes(small, in: area(extent - length))
    let starts = boxes.map { $0.start(axis) }.min() ?? 0
    let ends = boxes.map { $0.start(axis) + $0.length(axis) }.max() ?? 0
    return max(length, extent - (ends - starts))
  }
}

extension LayoutItem {
  /// The aspect ratio used for packing: the known one, otherwise 4:3, as of a stream of 640x480.
  fileprivate var packedAspectRatio: Double { aspectRatio ?? 4.0 / 3.0 }
}
