/// A rule that says where the picture of each participant goes.
///
/// The vocabulary is the collection view layout's: a policy is prepared for a canvas and a list of
/// items and then returns what is in rectangles of the content. A policy is a value without memory,
/// so the same context always gives the same arrangement; ``LayoutEngine`` keeps what was prepared.
public protocol LayoutPolicy: Sendable {
  /// Whether it needs to know the active speaker.
  var followsSpeaker: Bool { get }
  /// Whether it places only those that it names.
  var namesItsSources: Bool { get }
  /// What becomes of more items than fit.
  var overflow: Overflow { get }

  /// The most tiles for the items of `context`, all that are there, in join order. Unless a
  /// policy says otherwise, that is the limit of its ``overflow``.
  func tileLimit(for context: LayoutContext) -> Int

  /// How people keep their places when others come and go.
  var seating: Seating { get }
  /// Whether people who change places while nobody comes or goes dissolve into one another where
  /// they are; else they move.
  var dissolves: Bool { get }

  /// The canvas that the policy is written for; nil where it adapts to any.
  var resolution: Size? { get }

  /// The color, 0xRRGGBB, of what no tile covers, where the policy has a reason of its own; nil
  /// leaves it to the caller.
  var background: UInt32? { get }

  /// Says what makes it impossible to place anything on `canvas`, or whom of `cast`, where that is
  /// known, the policy takes for granted without effect.
  func validate(canvas: Size, cast: [LayoutItem]) throws(LayoutError)

  /// Whether `item` is one of those whom the policy is to show, as far as there is room; somebody who is not
  /// is left out on purpose.
  func isMeant(for item: LayoutItem) -> Bool

  /// Places all items of `context`, in content coordinates.
  func prepare(_ context: LayoutContext) -> Arrangement

  /// The size of the content where one side of the canvas is left to the layout.
  ///
  /// Unless a policy says otherwise, that is what it prepares on a canvas of 16:9.
  func sizeThatFits(_ proposal: ProposedSize, items: [LayoutItem], gap: Double) -> Size

  /// Whether what was prepared for `old` does not hold for `new`.
  func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool

  /// The attributes of all items that can be seen through `rect`, in content coordinates, in the
  /// order of the items.
  func attributes(in rect: Rect, of arrangement: Arrangement) -> [LayoutAttributes]

  /// Where the canvas comes to rest over the content when it is proposed to rest at `offset`.
  ///
  /// Unless a policy says otherwise, that is the nearest place within the content from which the
  /// focused item, the screen or who spoke last is seen.
  func targetContentOffset(
    forProposed offset: Point, of arrangement: Arrangement, in context: LayoutContext
  ) -> Point

  /// The state from which an item that appears at `attributes` is animated.
  func initialAttributes(appearingAt attributes: LayoutAttributes) -> LayoutAttributes

  /// The state to which an item that disappears from `attributes` is animated.
  func finalAttributes(disappearingFrom attributes: LayoutAttributes) -> LayoutAttributes
}

/// A policy with a large place that people take in turn.
protocol LargeSeating: LayoutPolicy {
  /// The index of the item that is large, and that of the seat that goes with the large place; nil while nothing is
  /// large. Where they differ their owners exchange seats, and all others keep theirs.
  func largeSeat(in context: LayoutContext) -> (large: Int, home: Int)?
}

/// What becomes of more items than fit.
public enum Overflow: Hashable, Sendable {
  /// At most that many tiles are shown; if there are more items, the last tile counts the rest.
  case tile(limit: Int)
  /// The policy takes all items: it scrolls, or knows itself whom to leave out.
  case everyone
}

/// How people keep their places when others come and go.
public enum Seating: Hashable, Sendable {
  /// Join order: who stands after someone who leaves moves up.
  case order
  /// A free seat is taken by a newcomer, else by the last person seated; all others stay where they are.
  case seats
}

extension LayoutPolicy {
  public var followsSpeaker: Bool { false }
  public var namesItsSources: Bool { false }

  public var overflow: Overflow { .tile(limit: .max) }

  public func tileLimit(for context: LayoutContext) -> Int {
    if case .tile(let limit) = overflow { limit } else { .max }
  }

  public var seating: Seating { .order }
  public var dissolves: Bool { false }

  public var resolution: Size? { nil }

  public var background: UInt32? { nil }

  public func validate(canvas: Size, cast: [LayoutItem]) throws(LayoutError) {}

  public func isMeant(for item: LayoutItem) -> Bool { true }

  public func sizeThatFits(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double
  ) -> Size {
    prepare(LayoutContext(canvas: proposal.widescreen, gap: gap, items: items)).contentSize
  }

  public func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    old != new
  }

  public func attributes(in rect: Rect, of arrangement: Arrangement) -> [LayoutAttributes] {
    arrangement.attributes(in: rect)
  }

  public func targetContentOffset(
    forProposed offset: Point, of arrangement: Arrangement, in context: LayoutContext
  ) -> Point {
    // Less than a millionth of a pixel is what rounding leaves.
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
  /// The attributes of an item that cannot be seen any more, smaller by the factor `scale`.
  func faded(scale factor: Double) -> LayoutAttributes {
    var faded = self
    faded.alpha = 0
    faded.scale *= factor
    return faded
  }
}
