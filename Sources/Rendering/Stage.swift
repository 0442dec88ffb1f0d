import Compositor
import Layout
import Media
import Pixels
import Timeline

/// The tiles of the frame being composed.
///
/// While nothing moves, the layout answers the same array again and again, so that comparing it
/// costs nothing and the scene stays as it is.
struct Stage {
  /// The tiles as the compositor takes them.
  private(set) var scene: Scene
  private let plan: Plan
  private var attributes: [LayoutAttributes] = []

  /// The empty stage of `plan`.
  init(_ plan: Plan) {
    self.plan = plan
    scene = Scene(size: plan.output.video.size, background: plan.output.background, tiles: [])
  }

  /// Brings ``scene`` to where everyone is when `frame` begins.
  mutating func update(for frame: Int) {
    let time = plan.output.video.frameRate.time(ofFrame: frame)
    let attributes = plan.layout.attributes(at: time)
    guard attributes != self.attributes else { return }
    self.attributes = attributes
    scene.tiles = attributes.map { attributes in
      TileDraw(
        attributes, overflowItem: plan.participants.count, fit: attributes.fit ?? plan.output.fit)
    }
  }
}

extension TileDraw {
  /// The tile that `attributes` describe; `overflowItem` is the content of the one that stands for
  /// everyone without a tile.
  fileprivate init(_ attributes: LayoutAttributes, overflowItem: Int, fit: Fit) {
    let isOverflow = attributes.id == LayoutItem.overflowID
    self.init(
      item: isOverflow ? overflowItem : attributes.id, frame: attributes.frame, fit: fit)
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
