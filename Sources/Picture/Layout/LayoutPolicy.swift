/// A layout algorithm: decides the position of each participant's picture.
///
/// The vocabulary is that of collection view layouts. A policy is prepared for a canvas and a list
/// of items, and then returns the attributes in rectangles of the content. A policy is a stateless
/// value, so equal contexts give equal arrangements. ``LayoutEngine`` caches what was prepared.
public protocol LayoutPolicy: Sendable {
  /// True if the policy needs the active speaker. Default: false.
  var followsSpeaker: Bool { get }
  /// True if the policy places only items that it names. Default: false.
  var namesItsSources: Bool { get }
  /// The rule for more items than fit. Default: no limit.
  var overflow: OverflowRule { get }

  /// Returns the largest number of tiles for all items of `context`, which are in join order. The
  /// default is the limit of ``overflow``.
  func tileLimit(for context: LayoutContext) -> Int

  /// The rule by which items keep their places when others join or leave. Default:
  /// ``SeatingRule/order``.
  var seating: SeatingRule { get }
  /// True if items that exchange places while nobody joins or leaves dissolve into each other;
  /// false if they move. Default: false.
  var dissolves: Bool { get }

  /// The canvas size that the policy is written for; `nil` (the default) if it adapts to any.
  var resolution: Size? { get }

  /// The background color, 0xRRGGBB, that the policy demands; `nil` (the default) leaves it to the
  /// caller.
  var background: UInt32? { get }

  /// Checks that the policy can place items on `canvas`.
  ///
  /// - Throws: A ``LayoutError`` if it cannot, or if it names a source that no item of `cast` has.
  ///   An empty `allItems` is not checked.
  func validate(canvas: Size, allItems: [LayoutItem]) throws(LayoutError)

  /// True if the policy should show `item` as far as there is room; false if it leaves the item out
  /// on purpose. Default: true.
  func applies(to item: LayoutItem) -> Bool

  /// Places all items of `context`, in content coordinates.
  func prepare(_ context: LayoutContext) -> LayoutArrangement

  /// Returns the size of the content if one side of the canvas is left to the layout.
  ///
  /// The default is the content size that the policy prepares on a 16:9 canvas.
  func sizeThatFits(_ proposal: ProposedSize, items: [LayoutItem], gap: Double) -> Size

  /// True if the arrangement prepared for `old` is not valid for `new`. Default: true if the
  /// contexts differ.
  func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool

  /// Returns the attributes of all items visible in `rect`, in content coordinates, in the order of
  /// the items.
  func attributes(in rect: Rect, of arrangement: LayoutArrangement) -> [LayoutAttributes]

  /// Returns the content offset at which the canvas comes to rest if `offset` is proposed.
  ///
  /// The default is the nearest offset within the content from which the focused item, the screen
  /// or the last speaker is visible.
  func targetContentOffset(
    forProposed offset: Point, of arrangement: LayoutArrangement, in context: LayoutContext
  ) -> Point

  /// Returns the state from which an item that appears at `attributes` is animated. Default:
  /// transparent, at 0.8 of its scale.
  func initialAttributes(appearingAt attributes: LayoutAttributes) -> LayoutAttributes

  /// Returns the state to which an item that disappears from `attributes` is animated. Default:
  /// transparent, at 0.8 of its scale.
  func finalAttributes(disappearingFrom attributes: LayoutAttributes) -> LayoutAttributes
}

/// A policy whose arrangement depends only on what ``LayoutContext/hasSamePlaces(as:)`` compares.
package protocol FixedPlacesLayout: LayoutPolicy {}

extension FixedPlacesLayout {
  package func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old)
  }
}

/// A policy with a large place that participants take in turn.
protocol LargeTileLayout: LayoutPolicy {
  /// Returns the index of the large item and that of the seat that belongs to the large place;
  /// `nil` while nothing is large. If the two differ, their owners exchange seats and all others
  /// keep theirs.
  func largeSeat(in context: LayoutContext) -> (large: Int, home: Int)?
}

/// The rule for more items than fit onto the canvas.
public enum OverflowRule: Hashable, Sendable {
  /// At most `limit` tiles are shown; if there are more items, the last tile counts the rest.
  case tile(limit: Int)
  /// The policy takes all items: it scrolls, or leaves items out itself.
  case everyone
}

/// The rule by which participants keep their places when others join or leave.
public enum SeatingRule: Hashable, Sendable {
  /// Join order: when a participant leaves, all later ones move up.
  case order
  /// A free seat goes to a newcomer, otherwise to the last seated participant; all others stay in
  /// place.
  case seats
}

extension LayoutPolicy {
  public var followsSpeaker: Bool { false }
  public var namesItsSources: Bool { false }

  public var overflow: OverflowRule { .tile(limit: .max) }

  public func tileLimit(for context: LayoutContext) -> Int {
    if case .tile(let limit) = overflow { limit } else { .max }
  }

  public var seating: SeatingRule { .order }
  public var dissolves: Bool { false }

  public var resolution: Size? { nil }

  public var background: UInt32? { nil }

  public func validate(canvas: Size, allItems: [LayoutItem]) throws(LayoutError) {}

  public func applies(to item: LayoutItem) -> Bool { true }

  public func sizeThatFits(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double
  ) -> Size {
    prepare(LayoutContext(canvas: proposal.widescreen, gap: gap, items: items)).contentSize
  }

  public func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    old != new
  }

  public func attributes(in rect: Rect, of arrangement: LayoutArrangement) -> [LayoutAttributes] {
    arrangement.attributes(in: rect)
  }

  public func targetContentOffset(
    forProposed offset: Point, of arrangement: LayoutArrangement, in context: LayoutContext
  ) -> Point {
    // A difference of less than a millionth of a pixel comes from rounding.
    func room(_ content: Double, _ canvas: Double) -> Double {
      content - canvas > 1e-6 ? content - canvas : 0
    }
    let limit = Point(
      x: room(arrangement.contentSize.width, context.canvas.width),
      y: room(arrangement.contentSize.height, context.canvas.height))
    guard limit != .zero else { return .zero }
    var target = offset
    if let large = context.largeIndex(followsSpeaker: true),
      let frame = arrangement.attributes(of: context.items[large].id)?.frame
    {
      target.x = max(min(target.x, frame.x), frame.maxX - context.canvas.width)
      target.y = max(min(target.y, frame.y), frame.maxY - context.canvas.height)
    }
    return Point(x: max(0, min(target.x, limit.x)), y: max(0, min(target.y, limit.y)))
  }

  public func initialAttributes(appearingAt attributes: LayoutAttributes) -> LayoutAttributes {
    attributes.faded(scale: 0.8)
  }

  public func finalAttributes(disappearingFrom attributes: LayoutAttributes) -> LayoutAttributes {
    attributes.faded(scale: 0.8)
  }
}

extension LayoutAttributes {
  /// Returns the attributes made transparent and scaled by `factor`.
  func faded(scale factor: Double) -> LayoutAttributes {
    var faded = self
    faded.alpha = 0
    faded.scale *= factor
    return faded
  }
}
