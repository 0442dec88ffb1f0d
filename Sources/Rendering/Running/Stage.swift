import TesseraCompositor
import TesseraLayout
import TesseraMedia
import TesseraPixels
import TesseraTimeline

/// The tiles of the frame being composed.
///
/// While nothing moves, the layout returns the same array again and again, so that comparing it
/// costs nothing and the scene stays as it is.
struct Stage {
  /// The tiles as the compositor takes them.
  private(set) var scene: Scene
  private let plan: Plan
  /// The slots' places in the plan, by their identifiers.
  private let places: [SlotID: Int]
  private var attributes: [LayoutAttributes] = []
  private var countLabel: CountLabel?

  /// The empty stage of `plan`.
  init(_ plan: Plan) {
    self.plan = plan
    places = Dictionary(uniqueKeysWithValues: plan.slots.enumerated().map { ($1.id, $0) })
    scene = Scene(size: plan.output.video.size, background: plan.output.background, tiles: [])
  }

  /// Brings ``scene`` to where everyone is when `frame` begins.
  mutating func update(for frame: Int) {
    let time = plan.output.video.frameRate.time(ofFrame: frame)
    let attributes = plan.scenes.attributes(at: time)
    guard attributes != self.attributes else { return }
    self.attributes = attributes
    scene.tiles.removeAll(keepingCapacity: true)
    for attributes in attributes {
      guard let place = places[attributes.id] else { continue }
      var tile = TileDraw(attributes, item: place, fit: attributes.fit ?? plan.output.fit)
      if attributes.overflowCount > 0 { tile.overlays = [label(attributes)] }
      scene.tiles.append(tile)
    }
  }

  /// The lettering of the tile that counts the rest, drawn anew where it changes.
  private mutating func label(_ attributes: LayoutAttributes) -> TileDraw.Overlay {
    let (count, frame) = (attributes.overflowCount, attributes.displayFrame.rounded())
    if let drawn = countLabel, drawn.count == count, drawn.size == frame.size {
      return drawn.overlay
    }
    let overlay = TileDraw.Overlay(count: count, in: frame, color: plan.output.lettering)
    countLabel = CountLabel(count: count, size: frame.size, overlay: overlay)
    return overlay
  }

  /// The lettering drawn last.
  private struct CountLabel {
    let count: Int
    let size: Size
    let overlay: TileDraw.Overlay
  }
}

extension TileDraw {
  /// The tile that `attributes` describe, whose content has the number `item`.
  fileprivate init(_ attributes: LayoutAttributes, item: Int, fit: Fit) {
    self.init(item: item, frame: attributes.frame, fit: fit)
    if let aspectRatio = attributes.aspectRatio, let share = attributes.coverage {
      coverage = Coverage(aspectRatio: aspectRatio, share: share)
    }
    alpha = attributes.alpha
    scale = attributes.scale
    zIndex = attributes.zIndex
    cornerRadius = attributes.cornerRadius ?? 0
    border = attributes.border.map { Border(width: $0.width, color: Color(rgb: $0.colour)) }
  }
}
