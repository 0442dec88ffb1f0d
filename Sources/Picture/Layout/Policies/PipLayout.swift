/// The picture-in-picture preset of the OpenTok archive API, after wobbals/barc's stylesheet.
///
/// The large item is shown whole on the whole canvas. A second item covers a small tile of the
/// canvas's shape in a corner, larger than in the original so that it can be recognized. Nobody
/// else is shown. If no item is focused, the active speaker is large and the previous speaker is
/// small.
package struct PipLayout: LayoutPolicy, Hashable {
  /// The corner of the small tile.
  package var corner = CanvasCorner.topRight
  /// The small tile's fraction of the canvas's width and height.
  package var size = 0.27
  /// The small tile's distance from the canvas's edges, as a fraction of the canvas's shorter side.
  package var margin = 0.05

  package var followsSpeaker: Bool { true }
  package var overflow: OverflowRule { .everyone }

  package func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old) || places(new) != places(old)
  }

  /// Returns the indexes of the large and the small item, in this order.
  private func places(_ context: LayoutContext) -> [Int] {
    guard let large = context.largeIndex(followsSpeaker: true) else { return [] }
    let small =
      context.lastSpeaker { $0 != large } ?? context.items.indices.first { $0 != large }
    return [large] + (small.map { [$0] } ?? [])
  }

  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
    let canvas = context.canvas
    let places = places(context)
    let (large, small) = (places.first, places.dropFirst().first)
    let attributes = context.items.enumerated().compactMap { index, item in
      switch index {
      case large:
        LayoutAttributes(
          item, frame: canvas.bounds,
          fit: context.isUpright && item.kind == .camera ? nil : .contain, traits: .large)
      case small:
        LayoutAttributes(item, frame: smallFrame(canvas), zIndex: 1, fit: .cover)
      default: nil as LayoutAttributes?
      }
    }
    return LayoutArrangement(contentSize: canvas, attributes: attributes)
  }

  /// Returns the state from which an item appears. A large item dissolves in at full size over the
  /// item that leaves.
  package func initialAttributes(appearingAt attributes: LayoutAttributes) -> LayoutAttributes {
    attributes.faded(scale: attributes.traits.contains(.large) ? 1 : 0.8)
  }

  /// Returns the state to which an item disappears. A large item stays in place beneath the
  /// newcomer.
  package func finalAttributes(disappearingFrom attributes: LayoutAttributes) -> LayoutAttributes {
    attributes.traits.contains(.large) ? attributes : attributes.faded(scale: 0.8)
  }

  private func smallFrame(_ canvas: Size) -> Rect {
    let distance = min(canvas.width, canvas.height) * margin
    return corner.place(
      Size(width: canvas.width * size, height: canvas.height * size), in: canvas,
      marginX: distance, marginY: distance)
  }
}

extension PipLayout {
  init(options: inout LayoutOptionParser) throws(LayoutError) {
    self.init(
      corner: try options.choice("corner", else: .topRight, "the small tile's corner"),
      size: try options.number(
        "size", in: 0.05...0.5, else: 0.27, "the small tile's sides, as a share of the canvas's"),
      margin: try options.number(
        "margin", in: 0...0.25, else: 0.05,
        "the small tile's distance from the edges, as a share of the shorter side"))
  }
}
