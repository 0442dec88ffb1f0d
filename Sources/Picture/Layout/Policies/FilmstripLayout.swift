import TesseraTimeline

/// One large item and a strip with the others along an edge of the canvas.
///
/// The strip is a grid, so its tiles shrink into several rows. If even these have no room, the last
/// tile counts the rest. The item that becomes large exchanges seats with the previous one, so
/// nobody else moves.
package struct FilmstripLayout: LargeTileLayout, Hashable {
  /// The edge of the canvas along which the strip runs.
  package enum Position: String, Hashable, Sendable, CaseIterable {
    case left
    case right
    case top
    case bottom

    var isVertical: Bool { self == .left || self == .right }
  }

  /// The strip's edge; `nil` chooses right or bottom, whichever leaves the large picture more area,
  /// and right if both are equal.
  package var position: Position?
  /// The fraction of the canvas, across the strip, for the large item, above 0 and below 1; `nil`
  /// is 0.8, or 0.7 on an upright canvas. A shared screen takes less if it needs less.
  package var fraction: Double?
  /// True if the large place follows the speaker.
  package var isLargeSpeaking = true
  /// True if, of two people, one fills the canvas and the other is in a corner of it. Does not
  /// apply to an upright canvas.
  package var isPictureInPicture = false
  /// The fit of the large picture; `nil` leaves it to the caller. On an upright canvas a camera
  /// picture always fills its tile.
  package var largeFit: PictureFit?
  /// True if the strip is along the bottom of an upright canvas, whatever its ``position``.
  var turnsUpright = false
  /// True if the local participant is large only when alone.
  var keepsLocal = false
  /// True if there is a strip; otherwise the large item is alone.
  var hasStrip = true

  package var followsSpeaker: Bool { true }

  package var overflow: OverflowRule { hasStrip ? .tile(limit: .max) : .everyone }

  package var seating: SeatingRule { .seats }

  package var dissolves: Bool { true }

  /// Returns the number of tiles of the least size that fit into the strip, plus 1 for the large
  /// tile.
  package func tileLimit(for context: LayoutContext) -> Int {
    guard hasStrip, let large = largeIndex(context) else { return .max }
    let strip = areas(context, large: large).strip
    let side = min(context.canvas.width, context.canvas.height)
    let columns = ((strip.width + context.gap) / (side * Self.leastWidth) + 1e-9).rounded(.down)
    let rows = ((strip.height + context.gap) / (side * Self.leastHeight) + 1e-9).rounded(.down)
    return 1 + max(1, Int(saturating: columns)) * max(1, Int(saturating: rows))
  }

  /// The least sides of a strip cell, gaps included, as fractions of the canvas's shorter side.
  private static let (leastWidth, leastHeight) = (1.0 / 6.0, 1.0 / 8.0)

  package func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old) || order(new) != order(old)
  }

  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
    let order = order(context)
    guard let large = order.first else {
      return LayoutArrangement(contentSize: context.canvas, attributes: [])
    }
    if !hasStrip {
      let alone = self.large(
        context.items[large], in: context.frame(ofCell: context.tilingBounds), context)
      return LayoutArrangement(contentSize: context.canvas, attributes: [alone])
    }
    var attributes = [Int: LayoutAttributes]()
    let others = order.dropFirst().map { context.items[$0] }
    if let pair = pair(context, order) {
      attributes = pair
    } else {
      let areas = areas(context, large: large)
      let cameras = context.items.filter { $0.kind == .camera }
      let tiles = TileGrid(others, of: cameras, in: areas.strip, context, isStrip: true)
        .attributes
      for (index, tile) in zip(order.dropFirst(), tiles) { attributes[index] = tile }
      attributes[large] = self.large(
        context.items[large], in: context.frame(ofCell: areas.large), context)
    }
    return LayoutArrangement(
      contentSize: context.canvas,
      attributes: context.items.indices.compactMap { attributes[$0] })
  }

  /// Returns the proposal with its missing side filled in for a 16:9 canvas.
  package func sizeThatFits(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double
  ) -> Size {
    proposal.widescreen
  }

  /// Returns the tile of the large item in `frame`, in the shape that suits its picture.
  private func large(
    _ item: LayoutItem, in frame: Rect, _ context: LayoutContext
  ) -> LayoutAttributes {
    let fit = context.isUpright && item.kind == .camera ? nil : largeFit
    var attributes = LayoutAttributes(item, frame: frame, fit: fit, traits: .large)
    let isAlone = !hasStrip || context.items.count == 1
    let covers = isAlone && context.isUpright && item.kind == .camera
    guard attributes.fit == nil, !covers else { return attributes }
    let shape = TileShape([item], in: frame.size, context)
    attributes.frame = frame.centered(width: shape.size.width, height: shape.size.height)
    attributes.coverage = shape.coverage(of: item)
    return attributes
  }

  /// Returns the tiles of two people, one in a corner of the other, by item index; `nil` if
  /// picture-in-picture does not apply.
  private func pair(_ context: LayoutContext, _ order: [Int]) -> [Int: LayoutAttributes]? {
    let canvas = context.canvas
    guard isPictureInPicture, position == nil, order.count == 2, canvas.width > canvas.height,
      order.allSatisfy({ context.items[$0].kind == .camera })
    else { return nil }
    let frame = context.frame(ofCell: context.tilingBounds)
    let margin = Self.pairMargin * canvas.height
    let small = CanvasCorner.bottomRight.place(
      Size(width: canvas.width * Self.pairSize, height: canvas.height * Self.pairSize), in: canvas,
      marginX: margin, marginY: margin)
    var corner = large(context.items[order[1]], in: small, context)
    (corner.zIndex, corner.traits) = (1, [])
    return [order[0]: large(context.items[order[0]], in: frame, context), order[1]: corner]
  }

  /// The small tile's sides as a fraction of the canvas's sides, and its distance from the edges as
  /// a fraction of the canvas's height, in picture-in-picture.
  private static let (pairSize, pairMargin) = (0.24, 0.035)

  private func largeIndex(_ context: LayoutContext) -> Int? {
    context.largeIndex(followsSpeaker: isLargeSpeaking, localKeepsPlace: keepsLocal)
  }

  func largeSeat(in context: LayoutContext) -> (large: Int, home: Int)? {
    guard let large = largeIndex(context) else { return nil }
    guard context.items[large].kind == .camera else { return (large, large) }
    return (large, context.items.firstIndex { $0.kind == .camera && !$0.isLocal } ?? large)
  }

  /// Returns the item indexes in the order of their places, the large item first.
  private func order(_ context: LayoutContext) -> [Int] {
    guard let (large, home) = largeSeat(in: context) else { return [] }
    var order = Array(context.items.indices)
    order.swapAt(home, large)
    return [order.remove(at: home)] + order
  }

  /// Returns the areas of the canvas for the large item and for the strip.
  private func areas(_ context: LayoutContext, large: Int) -> (large: Rect, strip: Rect) {
    let bounds = context.tilingBounds
    guard context.items.count > 1 else { return (bounds, bounds) }
    let item = context.items[large]
    if let position {
      let place = turnsUpright && context.isUpright ? .bottom : position
      return divided(bounds, at: place, for: item, context)
    }
    let (right, bottom) = (
      divided(bounds, at: .right, for: item, context),
      divided(bounds, at: .bottom, for: item, context)
    )
    func area(_ areas: (large: Rect, strip: Rect)) -> Double {
      areas.large.size.fitted(aspectRatio: item.plannedAspectRatio).area
    }
    return area(bottom) > area(right) * (1 + 1e-9) ? bottom : right
  }

  private func divided(
    _ bounds: Rect, at position: Position, for item: LayoutItem, _ context: LayoutContext
  ) -> (large: Rect, strip: Rect) {
    let canvas = context.canvas
    let fraction = self.fraction ?? (canvas.width < canvas.height ? 0.7 : 0.8)
    let extent = position.isVertical ? bounds.width : bounds.height
    var length = extent * fraction
    if item.kind == .screen, let ratio = item.aspectRatio {
      let frame = context.frame(ofCell: bounds).size
      let needed = position.isVertical ? frame.height * ratio : frame.width / ratio
      length = min(length, needed + context.gap)
    }
    return bounds.divided(large: length, stripAt: position)
  }
}

extension Rect {
  /// Divides the rectangle by a line parallel to the edge `position`. The strip is at that edge,
  /// and the other part is `length` long.
  func divided(
    large length: Double, stripAt position: FilmstripLayout.Position
  ) -> (large: Rect, strip: Rect) {
    let lineX = position == .left ? maxX - length : x + length
    let lineY = position == .top ? maxY - length : y + length
    let (left, right) = (
      Rect(left: x, top: y, right: lineX, bottom: maxY),
      Rect(left: lineX, top: y, right: maxX, bottom: maxY)
    )
    let (upper, lower) = (
      Rect(left: x, top: y, right: maxX, bottom: lineY),
      Rect(left: x, top: lineY, right: maxX, bottom: maxY)
    )
    return switch position {
    case .left: (right, left)
    case .right: (left, right)
    case .top: (lower, upper)
    case .bottom: (upper, lower)
    }
  }
}
