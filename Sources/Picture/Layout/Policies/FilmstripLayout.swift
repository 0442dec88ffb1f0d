import TesseraTimeline

/// One large item and the others in a strip along an edge of the canvas: as a grid of its own, so
/// that they shrink and stand in several rows; where even that has no room, the last tile counts
/// the rest.
///
/// The one who takes the large place exchanges places with the one who had it, so nobody else moves.
package struct FilmstripLayout: LargeSeating, Hashable {
  /// The edge along which the strip lies.
  package enum Position: String, Hashable, Sendable, CaseIterable {
    /// The left edge.
    case left
    /// The right edge.
    case right
    /// The top edge.
    case top
    /// The bottom edge.
    case bottom

    var isVertical: Bool { self == .left || self == .right }
  }

  /// The edge; nil chooses the right or the bottom one, whichever leaves the large picture more
  /// area, the right one where it makes no difference.
  package var position: Position?
  /// The share of the canvas that the large item takes across the strip, above 0 and below 1, or
  /// less where a shared screen does not need it; nil is 0.8, on an upright canvas 0.7.
  package var fraction: Double?
  /// Whether the large place follows the speaker.
  package var isLargeSpeaking = true
  /// Whether one of two people is on the whole canvas and the other in a corner of it, unless the
  /// canvas is upright.
  package var isPictureInPicture = false
  /// How the large picture fits; nil leaves it to the caller. On an upright canvas a camera's
  /// fills its tile.
  package var largeFit: Fit?
  /// Whether the strip lies along the bottom of an upright canvas, whatever its ``position``.
  var turnsUpright = false
  /// Whether the local participant is never large while there is another.
  var keepsLocal = false
  /// Whether there is a strip; else the large item is alone.
  var hasStrip = true

  package var followsSpeaker: Bool { true }

  package var overflow: Overflow { hasStrip ? .tile(limit: .max) : .everyone }

  package var seating: Seating { .seats }

  package var dissolves: Bool { true }

  /// The large one, and what has room in the strip.
  package func tileLimit(for context: LayoutContext) -> Int {
    guard hasStrip, let large = largeIndex(context) else { return .max }
    let strip = areas(context, large: large).strip
    let side = min(context.canvas.width, context.canvas.height)
    let columns = ((strip.width + context.gap) / (side * Self.leastWidth) + 1e-9).rounded(.down)
    let rows = ((strip.height + context.gap) / (side * Self.leastHeight) + 1e-9).rounded(.down)
    return 1 + max(1, Int(saturating: columns)) * max(1, Int(saturating: rows))
  }

  /// The least extents of a tile's cell with the gaps around it, as shares of the canvas's shorter
  /// side.
  private static let (leastWidth, leastHeight) = (1.0 / 6.0, 1.0 / 8.0)

  package func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old) || order(new) != order(old)
  }

  package func prepare(_ context: LayoutContext) -> Arrangement {
    let order = order(context)
    guard let large = order.first else {
      return Arrangement(contentSize: context.canvas, attributes: [])
    }
    if !hasStrip {
      let alone = self.large(
        context.items[large], in: context.frame(ofCell: context.tilingBounds), context)
      return Arrangement(contentSize: context.canvas, attributes: [alone])
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
    return Arrangement(
      contentSize: context.canvas,
      attributes: context.items.indices.compactMap { attributes[$0] })
  }

  /// A canvas of 16:9, unless the layout is given both sides.
  package func sizeThatFits(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double
  ) -> Size {
    proposal.widescreen
  }

  /// The tile of the large item in `frame`, of the shape that suits its picture.
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

  /// The tiles of two people, by their indexes; nil where there are others, or screens.
  private func pair(_ context: LayoutContext, _ order: [Int]) -> [Int: LayoutAttributes]? {
    let canvas = context.canvas
    guard isPictureInPicture, position == nil, order.count == 2, canvas.width > canvas.height,
      order.allSatisfy({ context.items[$0].kind == .camera })
    else { return nil }
    let frame = context.frame(ofCell: context.tilingBounds)
    let margin = Self.pairMargin * canvas.height
    let small = Corner.bottomRight.place(
      Size(width: canvas.width * Self.pairSize, height: canvas.height * Self.pairSize), in: canvas,
      marginX: margin, marginY: margin)
    var corner = large(context.items[order[1]], in: small, context)
    (corner.zIndex, corner.traits) = (1, [])
    return [order[0]: large(context.items[order[0]], in: frame, context), order[1]: corner]
  }

  /// The share of the canvas's sides that the smaller of two people has, and of its height that
  /// lies between the tile and the canvas's edges.
  private static let (pairSize, pairMargin) = (0.24, 0.035)

  private func largeIndex(_ context: LayoutContext) -> Int? {
    context.largeIndex(followsSpeaker: isLargeSpeaking, localKeepsPlace: keepsLocal)
  }

  func largeSeat(in context: LayoutContext) -> (large: Int, home: Int)? {
    guard let large = largeIndex(context) else { return nil }
    guard context.items[large].kind == .camera else { return (large, large) }
    return (large, context.items.firstIndex { $0.kind == .camera && !$0.isLocal } ?? large)
  }

  /// The indexes of the items in the order of their places, that of the large one first.
  private func order(_ context: LayoutContext) -> [Int] {
    guard let (large, home) = largeSeat(in: context) else { return [] }
    var order = Array(context.items.indices)
    order.swapAt(home, large)
    return [order.remove(at: home)] + order
  }

  /// The large item's part of the canvas and the strip's.
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
  /// The two parts of the rectangle on either side of a line parallel to the edge `position`, the
  /// far one of which is `length` long.
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
