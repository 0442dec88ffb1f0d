/// One large item and the others in a strip along an edge of the canvas.
///
/// The strip is the content that scrolls: where it holds more tiles than the edge is long, the
/// canvas comes to rest over whole tiles and moves only as far as it must to show who spoke last.
/// The large item stays where it is.
public struct FilmstripLayout: LayoutPolicy, Hashable {
  /// The edge along which the strip lies.
  public enum Position: String, Hashable, Sendable, CaseIterable {
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

  /// How long a tile is along the strip.
  public enum TileLength: Hashable, Sendable {
    /// A share of the strip's length.
    case share(Double)
    /// What makes the tile 16:9, or less where more have to fit: down to 2:1 in a vertical strip,
    /// to 4:5 in a horizontal one.
    case shape
  }

  /// The edge; nil chooses the right or the bottom one, whichever leaves the large picture more
  /// area, the right one where it makes no difference.
  public var position: Position?
  /// The share of the canvas that the large item takes across the strip, above 0 and below 1.
  public var fraction: Double
  /// How long a tile is along the strip.
  public var tileLength: TileLength
  /// Whether a strip that is not full is centred; else it begins at the edge's start.
  public var isCentered: Bool
  /// Whether the large place follows the speaker.
  public var followsSpeaker: Bool
  /// How the large picture fits; nil leaves it to the caller.
  public var largeFit: Fit?
  /// How the others fit; nil leaves it to the caller.
  public var smallFit: Fit?

  public var overflow: Overflow { .everyone }

  public func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old)
      || new.largeIndex(followsSpeaker: followsSpeaker)
        != old.largeIndex(followsSpeaker: followsSpeaker)
  }

  public func prepare(_ context: LayoutContext) -> Arrangement {
    guard let large = context.largeIndex(followsSpeaker: followsSpeaker) else {
      return Arrangement(contentSize: context.canvas, attributes: [])
    }
    let strip = strip(of: context, large: large)
    let attributes = context.items.enumerated().map { index, item in
      let isLarge = index == large
      let cell = isLarge ? strip.large : strip.tile(index > large ? index - 1 : index)
      return LayoutAttributes(
        item, frame: context.frame(ofCell: cell), fit: isLarge ? largeFit : smallFit,
        traits: isLarge ? .large : [])
    }
    return Arrangement(contentSize: strip.contentSize, attributes: attributes)
  }

  /// A canvas of 16:9: it is the strip that scrolls, and it adapts to any canvas.
  public func sizeThatFits(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double
  ) -> Size {
    proposal.widescreen
  }

  /// The large item and the tiles that lie within `rect` as a whole.
  public func attributes(in rect: Rect, of arrangement: Arrangement) -> [LayoutAttributes] {
    arrangement.attributes.compactMap { attributes in
      guard !attributes.traits.contains(.large) else {
        var pinned = attributes
        pinned.frame = attributes.frame.translated(by: Point(x: rect.x, y: rect.y))
        return pinned
      }
      return rect.contains(attributes.frame) ? attributes : nil
    }
  }

  /// The offset nearest to `offset` at which whole tiles, the one of who spoke last among them,
  /// lie under the canvas.
  public func targetContentOffset(
    forProposed offset: Point, of arrangement: Arrangement, in context: LayoutContext
  ) -> Point {
    guard let large = context.largeIndex(followsSpeaker: followsSpeaker) else { return .zero }
    let strip = strip(of: context, large: large)
    var first = Int(((strip.isVertical ? offset.y : offset.x) / strip.length).rounded())
    if let speaker = context.lastSpeaker(where: { $0 != large }) {
      let tile = speaker > large ? speaker - 1 : speaker
      first = max(min(first, tile), tile - strip.capacity + 1)
    }
    first = max(0, min(first, strip.count - strip.capacity))
    let distance = Double(first) * strip.length
    return strip.isVertical ? Point(x: 0, y: distance) : Point(x: distance, y: 0)
  }

  /// The measures of the strip for `context`.
  private func strip(of context: LayoutContext, large: Int) -> Strip {
    Strip(self, at: position ?? bestPosition(context, large: large), context)
  }

  /// The large item's part of `bounds` and the strip's.
  fileprivate func divided(_ bounds: Rect, at position: Position) -> (large: Rect, strip: Rect) {
    let extent = position.isVertical ? bounds.width : bounds.height
    return bounds.divided(large: extent * fraction, stripAt: position)
  }

  /// The edge that leaves the large picture more area.
  private func bestPosition(_ context: LayoutContext, large: Int) -> Position {
    let ratio = context.items[large].plannedAspectRatio
    func area(_ position: Position) -> Double {
      divided(context.tilingBounds, at: position).large.size.fitted(aspectRatio: ratio).area
    }
    return area(.bottom) > area(.right) * (1 + 1e-9) ? .bottom : .right
  }
}

extension FilmstripLayout {
  /// The measures of the strip on a canvas.
  fileprivate struct Strip {
    let large: Rect
    let contentSize: Size
    /// The number of tiles.
    let count: Int
    /// How many of them lie under the canvas at once.
    let capacity: Int
    /// The length of a tile along the strip.
    let length: Double
    private let strip: Rect
    let isVertical: Bool
    private let start: Double

    init(_ layout: FilmstripLayout, at position: Position, _ context: LayoutContext) {
      let bounds = context.tilingBounds
      count = context.items.count - 1
      isVertical = position.isVertical
      guard count > 0 else {
        (large, strip, contentSize) = (bounds, bounds, context.canvas)
        (capacity, length, start) = (0, bounds.width, 0)
        return
      }
      (large, strip) = layout.divided(bounds, at: position)
      let along = isVertical ? strip.height : strip.width
      let across = isVertical ? strip.width : strip.height
      let wanted = layout.tileLength.length(
        count: count, along: along, across: across, isVertical: isVertical)
      capacity = min(count, max(1, Int((along / wanted + 1e-9).rounded(.down))))
      // A strip that scrolls is filled by whole tiles.
      length = capacity < count ? max(wanted, along / Double(capacity)) : wanted
      start = layout.isCentered ? max(0, along - length * Double(count)) / 2 : 0
      let excess = length * Double(count - capacity)
      contentSize = Size(
        width: context.canvas.width + (isVertical ? 0 : excess),
        height: context.canvas.height + (isVertical ? excess : 0))
    }

    /// The cell of the tile `index`.
    func tile(_ index: Int) -> Rect {
      let distance = start + Double(index) * length
      return isVertical
        ? Rect(x: strip.x, y: strip.y + distance, width: strip.width, height: length)
        : Rect(x: strip.x + distance, y: strip.y, width: length, height: strip.height)
    }
  }
}

extension FilmstripLayout.TileLength {
  /// The length of each of `count` tiles of a strip of the given extents.
  fileprivate func length(
    count: Int, along: Double, across: Double, isVertical: Bool
  ) -> Double {
    switch self {
    case .share(let share): return along * share
    case .shape:
      let natural = isVertical ? across * 9 / 16 : across * 16 / 9
      let least = isVertical ? across / 2 : across * 4 / 5
      return min(along, max(least, min(natural, along / Double(count))))
    }
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

  /// Whether `other` lies within this rectangle, to a thousandth of a pixel.
  func contains(_ other: Rect) -> Bool {
    other.x >= x - 1e-3 && other.y >= y - 1e-3 && other.maxX <= maxX + 1e-3
      && other.maxY <= maxY + 1e-3
  }
}
