import TesseraTimeline

/// A carousel: one item exactly at the center of the canvas at full size and opacity, the others
/// smaller and fainter with their distance from it.
///
/// The formulas are those of the usual `ProminentCellLayout` flow layout: ratio = (d -
/// min(distance, d)) / d with d the item's length along the axis. Alpha and scale run with the
/// ratio from their standard value to 1.
package struct ProminentLayout: FixedPlacesLayout, Hashable {
  package var followsSpeaker: Bool { true }

  /// The direction in which the items follow each other; `nil` is the direction of the canvas's
  /// longer side, and vertical if ``itemSize`` is given.
  package var axis: LayoutAxis?
  /// The size of an item at the center. `nil` takes the largest that its picture fills; with two or
  /// more items, its neighbors stay wholly visible close to it.
  package var itemSize: Size?
  /// The distance between items in pixels.
  package var spacing = 10.0
  /// The opacity of an item far from the center.
  package var standardAlpha = 0.5
  /// The scale of an item far from the center.
  package var standardScale = 0.5

  package var overflow: OverflowRule { .everyone }

  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
    let axis = axis(on: context.canvas)
    let canvas = context.canvas.oriented(axis)
    let size = itemSize(in: context).oriented(axis).capped(width: canvas.width)
    // Neighbors are scaled down, so those of a given size are farther from the center than
    // necessary.
    let pitch = spacing + size.height * (itemSize == nil ? (1 + standardScale) / 2 : 1)
    let attributes = context.items.enumerated().map { index, item in
      let frame = Rect(
        x: (canvas.width - size.width) / 2, y: Double(index) * pitch,
        width: size.width, height: size.height)
      var attributes = LayoutAttributes(item, frame: frame.oriented(axis))
      attributes.alpha = standardAlpha
      attributes.scale = standardScale
      let shape = TileShape([item], in: attributes.frame.size, context)
      if itemSize == nil, item.kind == .camera, !context.isCoveredByOne {
        attributes.frame = attributes.frame.centered(
          width: shape.size.width, height: shape.size.height)
      }
      if shape.size == attributes.frame.size { attributes.coverage = shape.coverage(of: item) }
      return attributes
    }
    let length = Double(context.items.count - 1) * pitch + size.height
    let content = Size(width: canvas.width, height: context.items.isEmpty ? 0 : length)
    return LayoutArrangement(contentSize: content.oriented(axis), attributes: attributes)
  }

  /// Returns the items in `rect` as they look when the canvas is at `rect`.
  package func attributes(in rect: Rect, of arrangement: LayoutArrangement) -> [LayoutAttributes] {
    let placed = arrangement.placed(in: rect)
    let axis = axis(on: rect.size)
    let middles = arrangement.attributes.prefix(2).map { $0.frame.middle(axis) }
    let center = rect.middle(axis)
    let nearest = placed.min {
      abs($0.frame.middle(axis) - center) < abs($1.frame.middle(axis) - center)
    }
    return placed.map { item in
      let length = item.frame.length(axis)
      let reach = middles.count == 2 ? min(length, middles[1] - middles[0]) : length
      let distance = min(abs(item.frame.middle(axis) - center), reach)
      let ratio = (reach - distance) / reach
      var prominent = item
      prominent.alpha = ratio * (1 - standardAlpha) + standardAlpha
      prominent.scale = ratio * (1 - standardScale) + standardScale
      prominent.zIndex = Int(saturating: prominent.scale * 10)
      if item.id == nearest?.id { prominent.traits.insert(.center) }
      return prominent
    }.filter { $0.isVisible && $0.displayFrame.intersects(rect) }
  }

  /// Returns the offset at which an item is exactly at the center.
  ///
  /// That is the focused item, otherwise the active or last speaker, otherwise the item nearest to
  /// the center at `offset`.
  package func targetContentOffset(
    forProposed offset: Point, of arrangement: LayoutArrangement, in context: LayoutContext
  ) -> Point {
    let axis = axis(on: context.canvas)
    let half = context.canvas.length(axis) / 2
    let centers = arrangement.attributes.map { $0.frame.middle(axis) }
    let proposed = (axis == .vertical ? offset.y : offset.x) + half
    let target =
      context.items.firstIndex(where: \.isFocused) ?? context.lastSpeaker { _ in true }
      ?? centers.indices.min { abs(centers[$0] - proposed) < abs(centers[$1] - proposed) }
    guard let target else { return .zero }
    let distance = centers[target] - half
    return axis == .vertical ? Point(x: 0, y: distance) : Point(x: distance, y: 0)
  }

  private func axis(on canvas: Size) -> LayoutAxis {
    axis ?? (itemSize == nil && canvas.width > canvas.height ? .horizontal : .vertical)
  }

  private func itemSize(in context: LayoutContext) -> Size {
    guard itemSize == nil, context.items.count > 1 else { return itemSize ?? context.canvas }
    let axis = axis(on: context.canvas)
    let area = context.canvas.oriented(axis)
    let length = (area.height - 2 * spacing) / (1 + 2 * standardScale)
    return Size(width: area.width, height: max(area.height / 4, length)).oriented(axis)
  }
}

extension ProminentLayout {
  init(options: inout LayoutOptionParser) throws(LayoutError) {
    self.init(
      axis: try options.choice(
        "axis", else: "along the longer side, vertical with a size",
        "the direction in which tiles follow each other"),
      itemSize: try options.size(else: "half of the canvas"),
      spacing: try options.number(
        "spacing", in: 0...1000, else: 10, "the distance between tiles in pixels"),
      standardAlpha: try options.number(
        "alpha", in: 0...1, else: 0.5, "the opacity of tiles away from the center"),
      standardScale: try options.number(
        "scale", in: 0...1, else: 0.5, "the scale of tiles away from the center"))
  }
}
