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
  /// Whether a strip that is not full is centered; else it begins at the edge's start.
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
  func divided(_ bounds: Rect, at position: Position) -> (large: Rect, strip: Rect) {
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
