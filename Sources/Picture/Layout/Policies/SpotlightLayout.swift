/// One item on the whole canvas and a second in a corner: the meeting view of the VideoSDK iOS
/// example.
///
/// The large place goes to the focused item, otherwise a shared screen, otherwise the active or
/// last speaker. Beside a screen, the corner shows the active speaker. Otherwise it shows the local
/// participant if known, else the previous speaker. Nobody else is shown.
package struct SpotlightLayout: LayoutPolicy, Hashable {
  package var followsSpeaker: Bool { true }

  /// The corner of the small tile.
  package var corner: CanvasCorner
  /// The longer side of the small tile, as a fraction of the canvas's shorter side.
  package var size: Double
  /// True if the local participant stays in the corner.
  var keepsLocal = false

  /// The sizes in the example's storyboard, in points: the small tile's sides and margin, and the
  /// shorter side of its area.
  private static let model = (long: 160.0, short: 120.0, margin: 12.0, area: 358.0)

  /// The color of the small tile's border, visible on dark and on light cards.
  private static let edgeColor: UInt32 = 0x808080

  /// Creates a spotlight with its small tile in `corner`; `size` `nil` is the example's, 0.447.
  package init(corner: CanvasCorner = .bottomRight, size: Double? = nil) {
    self.corner = corner
    self.size = size ?? Self.model.long / Self.model.area
  }

  init(options: inout LayoutOptionParser) throws(LayoutError) {
    self.init(
      corner: try options.choice("corner", else: .bottomRight, "the small tile's corner"),
      size: try options.number(
        "size", in: 0.05...0.5, else: "0.447",
        "the small tile's longer side, as a share of the canvas's shorter one"))
    keepsLocal = try LocalParticipantPlace.isCorner(&options)
  }

  package var overflow: OverflowRule { .everyone }

  package func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old) || places(old) != places(new) || isEdged(old) != isEdged(new)
  }

  /// True if both tiles are cards, so that only a border separates the small from the large one.
  private func isEdged(_ context: LayoutContext) -> Bool {
    let places = places(context)
    return [places.large, places.small].allSatisfy { $0.map { !context.items[$0].isSeen } ?? false }
  }

  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
    let places = places(context)
    let isEdged = isEdged(context)
    let attributes = context.items.enumerated().compactMap { index, item -> LayoutAttributes? in
      guard index == places.large || index == places.small else { return nil }
      var tile =
        index == places.large
        ? LayoutAttributes(item, frame: context.canvas.bounds, traits: .large)
        : LayoutAttributes(item, frame: smallFrame(context.canvas), zIndex: 1, fit: .cover)
      if index == places.small, isEdged {
        let side = min(tile.frame.width, tile.frame.height)
        tile.border = LayoutAttributes.Border(
          width: max(1, (side / 60).rounded()), color: Self.edgeColor)
        tile.traits.insert(.edged)
      }
      // As in the example, the local participant's tile shows no muted-microphone sign unless it is
      // alone.
      if item.isLocal, places.small != nil { tile.traits.insert(.withoutMicrophone) }
      return tile
    }
    return LayoutArrangement(contentSize: context.canvas, attributes: attributes)
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

  /// Returns the indexes of the large and the small item.
  private func places(_ context: LayoutContext) -> Places {
    let found = context.largeIndex(followsSpeaker: true, localKeepsPlace: keepsLocal)
    guard let large = found else { return Places() }
    let others = context.items.indices.filter { $0 != large }
    let local = others.first { context.items[$0].isLocal }
    guard context.items[large].kind == .screen else {
      let before = context.lastSpeaker { $0 != large && context.items[$0].kind == .camera }
      return Places(large: large, small: local ?? before ?? others.first)
    }
    let isOther = { (index: Int) in
      index != large && !(keepsLocal && context.items[index].isLocal)
    }
    return Places(
      large: large,
      small: context.lastSpeaker(where: isOther)
        ?? others.first { !context.items[$0].isLocal } ?? local)
  }

  private struct Places: Equatable {
    var large: Int?
    var small: Int?
  }

  /// Returns the frame of the small tile: upright on an upright canvas, otherwise landscape.
  private func smallFrame(_ canvas: Size) -> Rect {
    let unit = min(canvas.width, canvas.height) * size / Self.model.long
    let (long, short) = (Self.model.long * unit, Self.model.short * unit)
    return corner.place(
      canvas.isLandscape ? Size(width: long, height: short) : Size(width: short, height: long),
      in: canvas, marginX: Self.model.margin * unit, marginY: Self.model.margin * unit)
  }
}
