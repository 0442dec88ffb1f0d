/// The default layout: rows or columns of people that fill the canvas. While a screen is shared or
/// an item is focused, that item is large and the others are beside it.
package struct AutoLayout: LargeTileLayout, Hashable {
  private let grid = GridLayout()
  private var strip: FilmstripLayout

  /// Creates the layout with the filmstrip on the side that leaves the large picture the most area.
  package init() {
    strip = FilmstripLayout(isLargeSpeaking: false)
  }

  /// Reads the options of `speaker`, which apply while an item is large.
  init(options: inout LayoutOptionParser) throws(LayoutError) {
    strip = try FilmstripLayout(
      strip: &options, largest: "0.85; for a focused participant 0.8, upright 0.7")
    strip.isLargeSpeaking = false
  }

  /// The default fraction of the canvas for a shared screen.
  private static let screenFraction = 0.85

  package var followsSpeaker = true

  package var seating: SeatingRule { .seats }

  package var dissolves: Bool { true }

  package func tileLimit(for context: LayoutContext) -> Int {
    policy(context).tileLimit(for: context)
  }

  package func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old) || policy(new).shouldInvalidate(from: old, to: new)
  }

  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
    let policy = policy(context)
    guard policy is GridLayout,
      let rows = TileRowSearch(context.items, in: context.tilingBounds, context)
    else { return policy.prepare(context) }
    return LayoutArrangement(contentSize: context.canvas, attributes: rows.attributes)
  }

  package func sizeThatFits(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double
  ) -> Size {
    grid.sizeThatFits(proposal, items: items, gap: gap)
  }

  func largeSeat(in context: LayoutContext) -> (large: Int, home: Int)? {
    (policy(context) as? FilmstripLayout)?.largeSeat(in: context)
  }

  private func policy(_ context: LayoutContext) -> any LayoutPolicy {
    let isFocused = context.items.contains(where: \.isFocused)
    guard isFocused || context.items.contains(where: { $0.kind == .screen }) else { return grid }
    var strip = strip
    if !isFocused, strip.fraction == nil { strip.fraction = Self.screenFraction }
    return strip
  }
}
