/// One item on the whole canvas, a second in a corner: the meeting view of the VideoSDK iOS
/// example.
///
/// The large place goes to a shared screen, else to the one who is focused, speaks or spoke last, never to
/// the local participant while there is another. The corner shows the local participant, but
/// beside a shared screen it shows the active speaker. Nobody else is shown.
package struct SpotlightLayout: LayoutPolicy, Hashable {
  package var followsSpeaker: Bool { true }
  package var needsLocal: Bool { true }

  /// The corner of the small tile.
  package var corner: Corner
  /// The longer side of the small tile, as a share of the canvas's shorter side.
  package var size: Double

  /// The example's storyboard, in points: the tile's sides and margin, and the shorter side of
  /// the area that they stand in.
  private static let model = (long: 160.0, short: 120.0, margin: 12.0, area: 358.0)

  /// A spotlight with its small tile in `corner`, as large as in the example unless it is said.
  package init(corner: Corner = .bottomRight, size: Double? = nil) {
    self.corner = corner
    self.size = size ?? Self.model.long / Self.model.area
  }

  init(options: inout LayoutOptions) throws(LayoutError) {
    self.init(
      corner: try options.choice("corner") ?? .bottomRight,
      size: try options.number("size", in: 0.05...0.5))
  }

  package var overflow: Overflow { .everyone }

  package func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old) || places(old) != places(new)
  }

  package func prepare(_ context: LayoutContext) -> Arrangement {
    let places = places(context)
    let attributes = context.items.enumerated().compactMap { index, item in
      switch index {
      case places.large:
        LayoutAttributes(item, frame: context.canvas.bounds, traits: .large)
      case places.small:
        LayoutAttributes(item, frame: smallFrame(context.canvas), zIndex: 1, fit: .cover)
      default: nil as LayoutAttributes?
      }
    }
    return Arrangement(contentSize: context.canvas, attributes: attributes)
  }

  /// The one who comes to the large place dissolves in over the one who leaves it.
  package func initialAttributes(appearingAt attributes: LayoutAttributes) -> LayoutAttributes {
    attributes.faded(scale: attributes.traits.contains(.large) ? 1 : 0.8)
  }

  /// The one who leaves the large place stays in place under the one who comes.
  package func finalAttributes(disappearingFrom attributes: LayoutAttributes) -> LayoutAttributes {
    attributes.traits.contains(.large) ? attributes : attributes.faded(scale: 0.8)
  }

  /// The indexes of the items in the large and in the small place.
  private func places(_ context: LayoutContext) -> Places {
    guard let large = context.largeIndex(followsSpeaker: true) else { return Places() }
    let others = context.items.indices.filter { $0 != large }
    let local = others.first { context.items[$0].isLocal }
    guard context.items[large].kind == .screen else {
      return Places(large: large, small: local)
    }
    let remote = { (index: Int) in index != large && !context.items[index].isLocal }
    return Places(
      large: large,
      small: context.lastSpeaker(where: remote) ?? others.first(where: remote) ?? local)
  }

  private struct Places: Equatable {
    var large: Int?
    var small: Int?
  }

  /// The small tile: upright on an upright canvas, lying on a lying one.
  private func smallFrame(_ canvas: Size) -> Rect {
    let unit = min(canvas.width, canvas.height) * size / Self.model.long
    let (long, short) = (Self.model.long * unit, Self.model.short * unit)
    return corner.place(
      canvas.isLandscape ? Size(width: long, height: short) : Size(width: short, height: long),
      in: canvas, marginX: Self.model.margin * unit, marginY: Self.model.margin * unit)
  }
}
