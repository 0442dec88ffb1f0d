package import TesseraTimeline

/// Places items by a policy and caches the arrangement until a change invalidates it.
///
/// ``place(_:at:)`` may be called for every frame. While the items stay the same it returns the
/// previous attributes and allocates nothing.
package struct LayoutEngine: Sendable {
  /// The policy that places the items.
  package private(set) var policy: any LayoutPolicy
  /// The canvas size in pixels.
  package let canvas: Size
  /// The gap between neighboring tiles in pixels.
  package let gap: Double
  /// The largest number of visible tiles, the overflow tile included.
  package let maximumTiles: Int
  /// True if items beyond ``maximumTiles`` are left out on purpose and not reported as ``missed``.
  package var isLimited = true
  /// True to give a single tile the whole canvas, without ``gap``.
  package var fillsAlone = false
  /// The strip reserved for a participant who is always visible; `nil` if there is none.
  package let kept: ReservedPlace?
  /// The fit of pictures for which the policy does not choose one.
  package let fit: PictureFit

  /// The number of times that the policy was prepared.
  package private(set) var prepareCount = 0
  /// The attributes of all visible tiles in canvas coordinates, back to front.
  package private(set) var attributes: [LayoutAttributes] = []
  /// The items that have no tile of their own in view, in join order.
  package private(set) var unplaced: [LayoutItem.ID] = []
  /// The items whose tiles cannot be seen at any scroll offset, because they are empty or outside
  /// canvas and content.
  package private(set) var offCanvasItems: Set<LayoutItem.ID> = []
  /// The position of the canvas over the content.
  package private(set) var contentOffset = Point.zero

  /// The tiles of all placed items in content coordinates.
  private(set) var arrangement = LayoutArrangement(
    contentSize: Size(width: 0, height: 0), attributes: [])
  /// The overflow tile for items out of view: the tile whose place it takes, and its count.
  private var counting: (key: LayoutAttributes.TileKey, count: Int)?
  private var keptItem: LayoutItem?
  private var items: [LayoutItem]?
  private var allItems: [LayoutItem]
  private var context: LayoutContext
  private var isPrepared = false
  private var seats = SeatOrder()
  /// The seats while an item has the large place (``LargeTileLayout``), with the exchanges made for
  /// it; `nil` at other times.
  private var largeSeats: SeatOrder?
  private var screens: Set<LayoutItem.ID> = []

  /// The time at which the same items must be placed again because an item waits for a seat; `nil`
  /// if none waits.
  var nextSeating: MediaTime? { (largeSeats ?? seats).heldUntil }

  /// Creates an engine for one canvas.
  ///
  /// - Parameters:
  ///   - policy: The policy that places the items.
  ///   - canvas: The canvas size in pixels; both sides must be above 0 and finite.
  ///   - gap: The gap between neighboring tiles in pixels.
  ///   - maximumTiles: The largest number of visible tiles, at least 1.
  ///   - fit: The fit of pictures for which the policy does not choose one.
  ///   - allItems: All items that ever appear in the recording, in join order; may be empty if the
  ///     policy does not need them (only `regions` does).
  ///   - kept: The strip reserved for a participant who is always visible.
  /// - Throws: ``LayoutError/emptyCanvas(_:)``, or the error with which the policy rejects the
  ///   canvas or the cast.
  package init(
    policy: any LayoutPolicy, canvas: Size, gap: Double = 0, maximumTiles: Int = 25,
    fit: PictureFit = .auto, allItems: [LayoutItem] = [], kept: ReservedPlace? = nil
  ) throws(LayoutError) {
    guard canvas.width > 0, canvas.height > 0, canvas.area.isFinite else {
      throw .emptyCanvas(canvas)
    }
    try policy.validate(canvas: canvas, allItems: allItems)
    self.policy = policy
    self.canvas = canvas
    self.gap = max(0, gap)
    self.maximumTiles = max(1, maximumTiles)
    self.fit = fit
    (self.allItems, self.kept) = (allItems, kept)
    context = LayoutContext(
      canvas: canvas, gap: max(0, gap), fit: fit, items: [], allItems: allItems)
  }

  /// The size of all content in pixels; larger than the canvas if the policy scrolls.
  package var contentSize: Size { arrangement.contentSize }

  /// True if the content is larger than the part of the canvas available to it.
  package var isScrolled: Bool {
    contentSize.width > view.width + 1e-6 || contentSize.height > view.height + 1e-6
  }

  /// The items that should be visible but are not.
  package var missed: [LayoutItem.ID] {
    let meant = (items ?? []).filter(policy.applies(to:)).map(\.id)
    switch policy.overflow {
    case .everyone: return unplaced.filter(meant.contains)
    case .tile:
      return isLimited ? unplaced.filter { arrangement.attributes(of: $0) != nil } : unplaced
    }
  }

  /// The attributes of all placed items in canvas coordinates, in the order of their seats. Items
  /// out of view or hidden have their prepared attributes.
  package var allAttributes: [LayoutAttributes] { states(at: contentOffset) }

  /// Returns the attributes of all placed items for a canvas at `offset`, in the order of their
  /// seats. Edges are on whole pixels if the canvas rests at `offset`.
  func states(at offset: Point) -> [LayoutAttributes] {
    let seen = Dictionary(look(at: offset).map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    let states = arrangement.attributes.map { seen[$0.key] ?? settled($0, at: offset) }
    return counted(states) + tileOfKept
  }

  /// Returns the tiles that the policy reports for the view at `offset`, in canvas coordinates.
  private func look(at offset: Point) -> [LayoutAttributes] {
    let rect = Rect(x: offset.x, y: offset.y, width: view.width, height: view.height)
    return policy.attributes(in: rect, of: arrangement).map { settled($0, at: offset) }
  }

  /// Returns `tiles` with the overflow tile inserted after the tile whose place it takes.
  private func counted(_ tiles: [LayoutAttributes]) -> [LayoutAttributes] {
    guard let counting else { return tiles }
    return tiles.flatMap { tile -> [LayoutAttributes] in
      guard tile.key == counting.key else { return tile.overflowCount > 0 ? [] : [tile] }
      let card = LayoutAttributes(counting: counting.count, on: tile)
      return tile.overflowCount > 0 ? [card] : [tile.faded(scale: 1), card]
    }
  }

  /// True if at least one pixel of `attributes` is on the canvas.
  func shows(_ attributes: LayoutAttributes) -> Bool {
    attributes.isSeen(in: canvas.bounds)
  }

  /// The part of the canvas for all items but the participant with a reserved strip.
  private var view: Rect {
    keptItem == nil ? canvas.bounds : kept?.divide(canvas).rest ?? canvas.bounds
  }

  private var tileOfKept: [LayoutAttributes] {
    guard let kept, let keptItem else { return [] }
    return [settled(kept.tile(keptItem, on: canvas, gap: gap), at: Point(x: view.x, y: view.y))]
  }

  /// True if items exchanged places since `before` by dissolving instead of moving. The policy must
  /// allow it, nobody may have joined or left, and the number of large items must be equal.
  func dissolves(from before: LayoutEngine) -> Bool {
    func largeOnes(_ engine: LayoutEngine) -> Int {
      engine.attributes.count { $0.traits.contains(.large) }
    }
    return policy.dissolves && before.policy.dissolves
      && Set(items?.map(\.id) ?? []) == Set(before.items?.map(\.id) ?? [])
      && largeOnes(self) == largeOnes(before)
  }

  /// Replaces the policy. The next ``place(_:at:)`` places everything again; items keep their
  /// seats.
  ///
  /// - Throws: The error with which the policy rejects the canvas or the cast. The old policy then
  ///   stays.
  package mutating func setPolicy(_ policy: any LayoutPolicy) throws(LayoutError) {
    try policy.validate(canvas: canvas, allItems: allItems)
    self.policy = policy
    isPrepared = false
    items = nil
  }

  /// Places `items`, given in join order, and returns ``attributes``.
  ///
  /// `time` is the time in the call. If there are more items than tiles, it limits seat changes to
  /// one every 10 s, except for items that must be visible. `nil` sets no limit.
  @discardableResult
  package mutating func place(
    _ items: [LayoutItem], at time: MediaTime? = nil
  ) -> [LayoutAttributes] {
    guard items != self.items || nextSeating != nil else { return attributes }
    self.items = items
    keptItem = kept == nil ? nil : items.first(where: \.isKept)
    screens = Set(items.lazy.filter { $0.kind == .screen }.map(\.id))
    var new = LayoutContext(canvas: view.size, gap: gap, fit: fit, items: items, allItems: allItems)
    if let keptItem { new.items.removeAll { $0.id == keptItem.id } }
    if allItems.isEmpty { new.allItems = items }
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
    offCanvasItems = arrangement.offCanvasItems(canvas: view.size).filter(isStray)
    var known = offCanvasItems.union(visible.lazy.filter { $0.overflowCount == 0 }.map(\.id))
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

  /// Returns the policy's arrangement of `context`, without a gap if a single tile then fills the
  /// canvas's width or height.
  private func prepared(_ context: LayoutContext) -> LayoutArrangement {
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

  /// True if `tile` may give its place to the overflow tile.
  ///
  /// The tile must be wholly in view, opaque, at full size, and not the item that the canvas
  /// follows.
  private func isFree(_ tile: LayoutAttributes) -> Bool {
    let large = context.largeIndex(followsSpeaker: true).map { context.items[$0].id }
    return tile.id != large && tile.traits.isDisjoint(with: [.center, .large])
      && tile.alpha == 1 && tile.scale == 1
      && view.contains(tile.displayFrame)
  }

  /// True if the item `id` stays invisible even when the canvas scrolls to it.
  private func isStray(_ id: LayoutItem.ID) -> Bool {
    var context = context
    for index in context.items.indices {
      context.items[index].isFocused = context.items[index].id == id
    }
    let offset = policy.targetContentOffset(
      forProposed: contentOffset, of: arrangement, in: context)
    return !look(at: offset).contains { $0.id == id && shows($0) }
  }

  /// Returns the items of `context` in the order of their seats, with an overflow tile for the
  /// rest.
  private mutating func seated(_ context: LayoutContext, at time: MediaTime?) -> [LayoutItem] {
    let limit =
      switch policy.overflow {
      case .tile: min(policy.tileLimit(for: context), maximumTiles - (keptItem == nil ? 0 : 1))
      case .everyone: Int.max
      }
    var seated = context
    seated.items = seats.seat(context.items, limit: limit, seating: policy.seating, at: time)
    guard let policy = policy as? any LargeTileLayout, policy.largeSeat(in: seated) != nil else {
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

  /// Returns `attributes` converted from content coordinates to a canvas at `offset`.
  ///
  /// Edges are on whole pixels if the canvas rests at `offset`. The coverage is set from the fit
  /// and the picture's aspect ratio.
  private func settled(_ attributes: LayoutAttributes, at offset: Point) -> LayoutAttributes {
    var settled = attributes
    settled.frame = attributes.frame
      .translated(by: Point(x: view.x - offset.x, y: view.y - offset.y))
    if offset == contentOffset || attributes.id == keptItem?.id {
      settled.frame = settled.frame.rounded()
    }
    settled.coverage = attributes.aspectRatio.map { ratio in
      if let coverage = attributes.coverage { return coverage }
      let usual = (attributes.fit ?? fit).coverage(aspectRatio: ratio, in: settled.frame.size)
      guard attributes.fit == nil, !screens.contains(attributes.id) else { return usual }
      return isAlone ? 1 : max(usual, upright(ratio, in: settled.frame.size))
    }
    return settled
  }

  /// True if an upright canvas shows a single tile. Its picture then covers the tile.
  private var isAlone: Bool {
    fit == .auto && context.isUpright && arrangement.attributes.count == 1
  }

  /// Returns the least coverage of a wide camera picture in `tile` on an upright canvas; 0 if there
  /// is none.
  ///
  /// The picture is cropped to at most 3:4, although that removes more than a third. Bars would
  /// leave only a sliver or half of the canvas for the picture.
  private func upright(_ ratio: Double, in tile: Size) -> Double {
    guard fit == .auto, canvas.width <= canvas.height,
      ratio > max(tile.aspectRatio, PictureFit.tallestUpright)
    else { return 0 }
    return PictureFit.coverage(
      aspectRatio: ratio, in: tile,
      showing: Size(width: PictureFit.tallestUpright / ratio, height: 1))
  }
}
