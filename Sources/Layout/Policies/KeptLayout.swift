/// A layout beside whose tiles one person always has a place that nothing else takes, whole and at
/// the same size: an interpreter (WCAG 2.2, success criterion 1.2.6).
package struct KeptLayout: LayoutPolicy {
  /// Where all others are, on the rest of the canvas.
  package let base: any LayoutPolicy
  /// The edge along which the place lies.
  package let edge: FilmstripLayout.Position
  /// The share of the canvas that the place takes across that edge, above 0 and below 1.
  package let share: Double

  /// `base` beside a place of that share along the edge.
  package init(_ base: any LayoutPolicy, edge: FilmstripLayout.Position, share: Double) {
    (self.base, self.edge, self.share) = (base, edge, share)
  }

  package var followsSpeaker: Bool { base.followsSpeaker }
  package var namesItsSources: Bool { base.namesItsSources }
  package var overflow: Overflow { base.overflow }
  package var seating: Seating { base.seating }
  package var dissolves: Bool { base.dissolves }
  package var resolution: Size? { base.resolution }
  package var background: UInt32? { base.background }

  package func tileLimit(for context: LayoutContext) -> Int {
    let limit = base.tileLimit(for: parts(of: context).rest)
    return limit < .max && context.items.contains(where: \.isKept) ? limit + 1 : limit
  }

  package func validate(canvas: Size, cast: [LayoutItem]) throws(LayoutError) {
    try base.validate(canvas: canvas, cast: cast)
  }

  package func isMeant(for item: LayoutItem) -> Bool { item.isKept || base.isMeant(for: item) }

  package func sizeThatFits(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double
  ) -> Size {
    base.sizeThatFits(proposal, items: items.filter { !$0.isKept }, gap: gap)
  }

  package func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old)
      || base.shouldInvalidate(from: parts(of: old).rest, to: parts(of: new).rest)
  }

  package func prepare(_ context: LayoutContext) -> Arrangement {
    let (rest, origin, place) = parts(of: context)
    let arrangement = base.prepare(rest)
    let offset = base.targetContentOffset(forProposed: .zero, of: arrangement, in: rest)
    let shift = Point(x: origin.x - offset.x, y: origin.y - offset.y)
    var attributes = base.attributes(
      in: rest.canvas.bounds.translated(by: offset), of: arrangement
    ).map { attributes in
      var attributes = attributes
      attributes.frame = attributes.frame.translated(by: shift)
      return attributes
    }
    if let kept = context.items.first(where: \.isKept), let place {
      let front = (attributes.map(\.zIndex).max() ?? 0) + 1
      let size = place.size.fitted(aspectRatio: kept.plannedAspectRatio)
      let frame = Rect(
        x: place.x + (place.width - size.width) / 2, y: place.maxY - size.height,
        width: size.width, height: size.height)
      attributes.append(LayoutAttributes(kept, frame: frame, zIndex: front, fit: .contain))
    }
    return Arrangement(contentSize: context.canvas, attributes: attributes)
  }

  /// What is left for the others, where it begins, and the place; all for the others where the
  /// person is not there.
  private func parts(of context: LayoutContext) -> (rest: LayoutContext, Point, place: Rect?) {
    guard context.items.contains(where: \.isKept) else { return (context, .zero, nil) }
    let bounds = context.canvas.bounds
    let extent = edge.isVertical ? bounds.width : bounds.height
    let (large, strip) = bounds.divided(large: extent * (1 - share), stripAt: edge)
    var rest = context
    rest.canvas = large.size
    rest.items.removeAll(where: \.isKept)
    return (rest, Point(x: large.x, y: large.y), strip.inset(by: context.gap))
  }
}
