package import TesseraTimeline

/// Places items by a policy and keeps what was placed until something makes it invalid.
///
/// ``place(_:at:)`` may be called for every frame: while the items stay the same it returns what it
/// returned before and allocates nothing.
package struct LayoutEngine: Sendable {
  /// The rule that places.
  package private(set) var policy: any LayoutPolicy
  /// The canvas that is placed on.
  package let canvas: Size
  /// The distance between neighbors in pixels.
  package let gap: Double
  /// The most tiles that are shown at once, the one that counts the rest included.
  package let maximumTiles: Int
  /// Whether those over ``maximumTiles`` are left out on purpose.
  package var isLimited = true
  /// True to give a tile that is alone the whole canvas, without ``gap``.
  package var fillsAlone = false
  /// The place of somebody who is always seen; nil is nobody's.
  package let kept: KeptPlace?
  /// Frames lie on multiples of that many pixels.
  package let alignment: Int
  /// How pictures fit into their tiles where the policy does not say.
  package let fit: Fit

  /// How often the policy was prepared.
  package private(set) var prepareCount = 0
  /// What can be seen, in canvas coordinates, farthest back first.
  package private(set) var attributes: [LayoutAttributes] = []
  /// The items that have no tile of their own in view, in join order.
  package private(set) var unplaced: [LayoutItem.ID] = []
  /// The items of whose tiles nothing can be seen: they lie outside canvas and content or are
  /// empty.
  package private(set) var strays: Set<LayoutItem.ID> = []
  /// Where the canvas lies over the content.
  package private(set) var contentOffset = Point.zero

  /// The tiles of all placed items in content coordinates.
  private(set) var arrangement = Arrangement(
    contentSize: Size(width: 0, height: 0), attributes: [])
  /// The tile that stands for those out of view, in the place of an item.
  private var counting: (key: LayoutAttributes.Key, count: Int)?
  private var keptItem: LayoutItem?
  private var items: [LayoutItem]?
  private var cast: [LayoutItem]
  private var context: LayoutContext
  private var isPrepared = false
  private var seats = Seats()
  /// The seats while somebody has a large place (``LargeSeating``), as people have exchanged them; nil at other times.
  private var largeSeats: Seats?
  private var screens: Set<LayoutItem.ID> = []

  /// When the same items are to be placed again, as somebody waits for a seat until then; nil where
  /// nobody does.
  var nextSeating: MediaTime? { (largeSeats ?? seats).heldUntil }

  /// An engine for one canvas.
  ///
  /// - Parameters:
  ///   - policy: The rule that places.
  ///   - canvas: The canvas; both extents must be above 0 and finite.
  ///   - gap: The distance between neighbors in pixels.
  ///   - maximumTiles: The most tiles that are shown at once, at least 1.
  ///   - alignment: Frames lie on multiples of that many pixels, at least 1.
  ///   - fit: How pictures fit into their tiles where the policy does not say.
  ///   - cast: Everyone who is ever in the recording, in join order; empty where the policy need
  ///     not know it (only `regions` does).
  ///   - kept: The place of somebody who is always seen.
  /// - Throws: ``LayoutError/emptyCanvas(_:)``, or what the policy has against the
  ///   canvas and the cast.
  package init(
    policy: any LayoutPolicy, canvas: Size, gap: Double = 0, maximumTiles: Int = 25,
    alignment: Int = 1, fit: Fit = .auto, cast: [LayoutItem] = [], kept: KeptPlace? = nil
  ) throws(LayoutError) {
    guard canvas.width > 0, canvas.height > 0, canvas.area.isFinite else {
      throw .emptyCanvas(canvas)
    }
    try policy.validate(canvas: canvas, cast: cast)
    self.policy = policy
    self.canvas = canvas
    self.gap = max(0, gap)
    self.maximumTiles = max(1, maximumTiles)
    self.alignment = max(1, alignment)
    self.fit = fit
    (self.cast, self.kept) = (cast, kept)
    context = LayoutContext(canvas: canvas, gap: max(0, gap), fit: fit, items: [], cast: cast)
  }

  /// The size of all content; larger than the canvas where the policy scrolls.
  package var contentSize: Size { arrangement.contentSize }

  /// Whether the content is larger than the part of the canvas that it has.
  package var isScrolled: Bool {
    contentSize.width > view.width + 1e-6 || contentSize.height > view.height + 1e-6
  }

  /// Those who are to be shown but are not.
  package var missed: [LayoutItem.ID] {
    let meant = (items ?? []).filter(policy.isMeant).map(\.id)
    switch policy.overflow {
    case .everyone: return unplaced.filter(meant.contains)
    case .tile:
      return isLimited ? unplaced.filter { arrangement.attributes(of: $0) != nil } : unplaced
    }
  }

  /// The attributes of all placed items in canvas coordinates, in the order of their seats: as
  /// they are seen, or, scrolled out of sight or hidden, as they were prepared.
  package var allAttributes: [LayoutAttributes] { states(at: contentOffset) }

  /// The attributes of all placed items where the canvas lies at `offset`, in the order of their
  /// seats; on whole pixels where it rests there.
  func states(at offset: Point) -> [LayoutAttributes] {
    let seen = Dictionary(look(at: offset).map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    let states = arrangement.attributes.map { seen[$0.key] ?? settled($0, at: offset) }
    return counted(states) + tileOfKept
  }

  /// What the policy says of the place at `offset`, in canvas coordinates.
  private func look(at offset: Point) -> [LayoutAttributes] {
    let rect = Rect(x: offset.x, y: offset.y, width: view.width, height: view.height)
    return policy.attributes(in: rect, of: arrangement).map { settled($0, at: offset) }
  }

  /// `tiles` with the one that counts those out of view after the one in whose place it is.
  private func counted(_ tiles: [LayoutAttributes]) -> [LayoutAttributes] {
    guard let counting else { return tiles }
    return tiles.flatMap { tile -> [LayoutAttributes] in
      guard tile.key == counting.key else { return tile.overflowCount > 0 ? [] : [tile] }
      let card = LayoutAttributes(counting: counting.count, on: tile)
      return tile.overflowCount > 0 ? [card] : [tile.faded(scale: 1), card]
    }
  }

  /// Whether a pixel of `attributes` lies on the canvas.
  func shows(_ attributes: LayoutAttributes) -> Bool {
    attributes.isSeen(in: canvas.bounds, alignment: alignment)
  }

  /// The part of the canvas that is there for all but the one who is always seen.
  private var view: Rect {
    keptItem == nil ? canvas.bounds : kept?.divide(canvas).rest ?? canvas.bounds
  }

  private var tileOfKept: [LayoutAttributes] {
    guard let kept, let keptItem else { return [] }
    return [settled(kept.tile(keptItem, on: canvas, gap: gap), at: Point(x: view.x, y: view.y))]
  }

  /// Whether people have changed places since `before` by dissolving into one another, not by
  /// moving: the policy lets them, nobody has come or gone, and as many are large.
  func dissolves(from before: LayoutEngine) -> Bool {
    func largeOnes(_ engine: LayoutEngine) -> Int {
      engine.attributes.count { $0.traits.contains(.large) }
    }
    return policy.dissolves && before.policy.dissolves
      && Set(items?.map(\.id) ?? []) == Set(before.items?.map(\.id) ?? [])
      && largeOnes(self) == largeOnes(before)
  }

  /// Replaces the policy: everything is placed again when ``place(_:at:)`` is called next, and
  /// people keep their seats.
  ///
  /// - Throws: What the policy has against the canvas and the cast; the old policy then stays.
  package mutating func setPolicy(_ policy: any LayoutPolicy) throws(LayoutError) {
    try policy.validate(canvas: canvas, cast: cast)
    self.policy = policy
    isPrepared = false
    items = nil
  }

  /// Places `items`, given in join order, and returns ``attributes``.
  ///
  /// `time` is the call's: where more people are there than tiles, seats then change at most every
  /// ten seconds, but for those who must be seen.
  @discardableResult
  package mutating func place(
    _ items: [LayoutItem], at time: MediaTime? = nil
  ) -> [LayoutAttributes] {
    guard items != self.items || nextSeating != nil else { return attributes }
    self.items = items
    keptItem = kept == nil ? nil : items.first(where: \.isKept)
    screens = Set(items.lazy.filter { $0.kind == .screen }.map(\.id))
    var new = LayoutContext(canvas: view.size, gap: gap, fit: fit, items: items, cast: cast)
    if let keptItem { new.items.removeAll { $0.id == keptItem.id } }
    if cast.isEmpty { new.cast = items }
    new.items = seated(new, at: time)
    let proposed = isPrepared ? contentOffset : .zero
    if !isPrepared || policy.shouldInvalidate(from: context, to: new) {
      arrangement = prepared(new)
      prepareCount += 1
      isPrepared = true
    }
    context = new
    contentOffset = policy.targetContentOffset(
      forProposed: proposed, of: arrangement, in: new)
    let visible = look(at: contentOffset).filter(shows)
    strays = arrangement.strays(canvas: view.size, alignment: alignment).filter(isStray)
    var known = strays.union(visible.lazy.filter { $0.overflowCount == 0 }.map(\.id))
    known.formUnion(
      (arrangement.attributes.filter(\.isHidden) + tileOfKept).lazy.map(\.id))
    unplaced = items.map(\.id).filter { !known.contains($0) }
    counting = nil
    let isOut = { [arrangement] (id: LayoutItem.ID) in arrangement.attributes(of: id) != nil }
    let isCounted = visible.contains { $0.overflowCount > 0 && view.contains($0.displayFrame) }
    if unplaced.contains(where: isOut) || isOut(LayoutItem.overflowID) && !isCounted,
      let cell = visible.last(where: isFree)
    {
      unplaced = items.map(\.id).filter { !known.contains($0) || $0 == cell.id }
      counting = (cell.key, unplaced.count)
    }
    attributes = (counted(visible) + tileOfKept).filter(shows).stablySorted(by: \.zIndex)
    return attributes
  }

  /// The policy's arrangement of `context`; without a gap where that gives a single tile the whole
  /// width or height of the canvas.
  private func prepared(_ context: LayoutContext) -> Arrangement {
    let arrangement = policy.prepare(context)
    guard fillsAlone, context.gap > 0, keptItem == nil,
      arrangement.attributes.count(where: { !$0.isHidden }) == 1
    else { return arrangement }
    var whole = context
    whole.gap = 0
    let alone = policy.prepare(whole)
    let fills = alone.attributes.contains {
      !$0.isHidden
        && ($0.frame.width >= canvas.width - 1e-6 || $0.frame.height >= canvas.height - 1e-6)
    }
    return fills ? alone : arrangement
  }

  /// Whether `tile` is wholly in view, at full size, and not that of the one whom the canvas follows:
  /// the last such place counts those who are out of view.
  private func isFree(_ tile: LayoutAttributes) -> Bool {
    let large = context.largeIndex(followsSpeaker: true).map { context.items[$0].id }
    return tile.id != large && tile.traits.isDisjoint(with: [.center, .large])
      && tile.alpha == 1 && tile.scale == 1
      && view.contains(tile.displayFrame)
  }

  /// Whether nothing of the item `id` is seen where the canvas follows it either.
  private func isStray(_ id: LayoutItem.ID) -> Bool {
    var context = context
    for index in context.items.indices {
      context.items[index].isFocused = context.items[index].id == id
    }
    let offset = policy.targetContentOffset(
      forProposed: contentOffset, of: arrangement, in: context)
    return !look(at: offset).contains { $0.id == id && shows($0) }
  }

  /// The items of `context` in the order of their seats, with a tile for those that overflow.
  private mutating func seated(_ context: LayoutContext, at time: MediaTime?) -> [LayoutItem] {
    let limit =
      switch policy.overflow {
      case .tile: min(policy.tileLimit(for: context), maximumTiles - (keptItem == nil ? 0 : 1))
      case .everyone: Int.max
      }
    var seated = context
    seated.items = seats.seat(context.items, limit: limit, seating: policy.seating, at: time)
    guard let policy = policy as? any LargeSeating, policy.largeSeat(in: seated) != nil else {
      largeSeats = nil
      return seated.items
    }
    var own = largeSeats ?? seats
    if largeSeats != nil {
      seated.items = own.seat(context.items, limit: limit, seating: policy.seating, at: time)
    }
    if let (large, home) = policy.largeSeat(in: seated) {
      own.exchange(large, home)
      seated.items.swapAt(large, home)
    }
    largeSeats = own
    return seated.items
  }

  /// Attributes in content coordinates as they stand on the canvas where it lies at `offset`: on
  /// whole pixels if it rests there, and with what the fit makes of the picture's shape.
  private func settled(_ attributes: LayoutAttributes, at offset: Point) -> LayoutAttributes {
    var settled = attributes
    settled.frame = attributes.frame
      .translated(by: Point(x: view.x - offset.x, y: view.y - offset.y))
    if offset == contentOffset || attributes.id == keptItem?.id {
      settled.frame = settled.frame.rounded(toMultiplesOf: alignment)
    }
    settled.coverage = attributes.aspectRatio.map { ratio in
      if let coverage = attributes.coverage { return coverage }
      let usual = (attributes.fit ?? fit).coverage(aspectRatio: ratio, in: settled.frame.size)
      guard attributes.fit == nil, !screens.contains(attributes.id) else { return usual }
      return isAlone ? 1 : max(usual, upright(ratio, in: settled.frame.size))
    }
    return settled
  }

  /// True if one tile is all that an upright canvas shows: its picture then covers it.
  private var isAlone: Bool {
    fit == .auto && context.isUpright && arrangement.attributes.count == 1
  }

  /// How much of a tile of that size a camera's wide picture covers at least on an upright canvas,
  /// although more than a third of it is cropped: what a crop of 3:4 fills, where bars would be
  /// slivers or half of the canvas.
  private func upright(_ ratio: Double, in tile: Size) -> Double {
    guard fit == .auto, canvas.width <= canvas.height,
      ratio > max(tile.aspectRatio, Fit.tallestUpright)
    else { return 0 }
    return Fit.coverage(
      aspectRatio: ratio, in: tile, showing: Size(width: Fit.tallestUpright / ratio, height: 1))
  }
}
