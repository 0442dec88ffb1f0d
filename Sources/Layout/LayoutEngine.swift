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
  /// Frames lie on multiples of that many pixels.
  package let alignment: Int
  /// How pictures fit into their tiles where the policy does not say.
  package let fit: Fit

  /// How often the policy was prepared.
  package private(set) var prepareCount = 0
  /// What can be seen, in canvas coordinates, farthest back first.
  package private(set) var attributes: [LayoutAttributes] = []
  /// The items that have no tile of their own, in join order.
  package private(set) var unplaced: [LayoutItem.ID] = []
  /// The items of whose tiles nothing can be seen: they lie outside canvas and content or are
  /// empty.
  package private(set) var strays: Set<LayoutItem.ID> = []
  /// Where the canvas lies over the content.
  package private(set) var contentOffset = Point.zero

  private var items: [LayoutItem]?
  private var cast: [LayoutItem]
  private var context: LayoutContext
  private var arrangement = Arrangement(contentSize: Size(width: 0, height: 0), attributes: [])
  private var isPrepared = false
  private var seats = Seats()
  private var screens: Set<LayoutItem.ID> = []

  /// When the same items are to be placed again, as somebody waits for a seat until then; nil where
  /// nobody does.
  var nextSeating: MediaTime? { seats.heldUntil }

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
  /// - Throws: ``LayoutError/emptyCanvas(_:)``, or what the policy has against the
  ///   canvas and the cast.
  package init(
    policy: any LayoutPolicy, canvas: Size, gap: Double = 0, maximumTiles: Int = 25,
    alignment: Int = 1, fit: Fit = .auto, cast: [LayoutItem] = []
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
    self.cast = cast
    context = LayoutContext(canvas: canvas, gap: max(0, gap), fit: fit, items: [], cast: cast)
  }

  /// The size of all content; larger than the canvas where the policy scrolls.
  package var contentSize: Size { arrangement.contentSize }

  /// The attributes of all placed items in canvas coordinates, in the order of their seats: as
  /// they are seen, or, scrolled out of sight or hidden, as they were prepared.
  package var allAttributes: [LayoutAttributes] {
    let seen = Dictionary(attributes.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    return arrangement.attributes.map { seen[$0.key] ?? settled($0) }
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
    guard items != self.items || seats.heldUntil != nil else { return attributes }
    self.items = items
    screens = Set(items.lazy.filter { $0.kind == .screen }.map(\.id))
    let new = LayoutContext(
      canvas: canvas, gap: gap, fit: fit, items: seated(items, at: time),
      cast: cast.isEmpty ? items : cast)
    let proposed = isPrepared ? contentOffset : .zero
    if !isPrepared || policy.shouldInvalidate(from: context, to: new) {
      arrangement = policy.prepare(new)
      prepareCount += 1
      isPrepared = true
    }
    context = new
    contentOffset = policy.targetContentOffset(
      forProposed: proposed, of: arrangement, in: new)
    attributes = policy.attributes(in: visibleRect, of: arrangement)
      .compactMap { $0.isHidden ? nil : settled($0) }.stablySorted(by: \.zIndex)
    let placed = Set(arrangement.attributes.lazy.filter { $0.overflowCount == 0 }.map(\.id))
    unplaced = items.map(\.id).filter { !placed.contains($0) }
    strays = arrangement.strays(canvas: canvas, alignment: alignment)
    return attributes
  }

  /// `items` in the order of their seats, with a tile for those that overflow.
  private mutating func seated(_ items: [LayoutItem], at time: MediaTime?) -> [LayoutItem] {
    let limit =
      switch policy.overflow {
      case .tile:
        min(
          policy.tileLimit(for: LayoutContext(canvas: canvas, gap: gap, fit: fit, items: items)),
          maximumTiles)
      case .everyone: Int.max
      }
    return seats.seat(items, limit: limit, seating: policy.seating, at: time)
  }

  /// The part of the content that lies under the canvas.
  private var visibleRect: Rect { canvas.bounds.translated(by: contentOffset) }

  /// Attributes in content coordinates as they stand on the canvas: on whole pixels, and with
  /// what the fit makes of the picture's shape.
  private func settled(_ attributes: LayoutAttributes) -> LayoutAttributes {
    var settled = attributes
    settled.frame = attributes.frame
      .translated(by: Point(x: -contentOffset.x, y: -contentOffset.y))
      .rounded(toMultiplesOf: alignment)
    settled.coverage = attributes.aspectRatio.map { ratio in
      if let coverage = attributes.coverage { return coverage }
      let usual = (attributes.fit ?? fit).coverage(aspectRatio: ratio, in: settled.frame.size)
      guard attributes.fit == nil, !screens.contains(attributes.id) else { return usual }
      return max(usual, upright(ratio, in: settled.frame.size))
    }
    return settled
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
