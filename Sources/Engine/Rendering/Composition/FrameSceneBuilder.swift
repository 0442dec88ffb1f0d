import TesseraCodecs
import TesseraCompositor
import TesseraLayout
import TesseraLettering
import TesseraPixels
import TesseraPlan
import TesseraTimeline

/// The scene of the frame being composed: tiles with their drawings, and overlays.
///
/// While nothing moves and no decoration changes, the tiles are not computed again.
struct FrameSceneBuilder {
  /// The scene of the last updated frame, as the compositor takes it.
  private(set) var scene: Scene
  private let input: SegmentInput
  private let sprites: DrawingSprites
  private var overlays: CanvasOverlays
  /// Indexes of the input's slots by identifier.
  private let places: [SlotID: Int]
  private var attributes: [LayoutAttributes] = []
  /// The first frame in which decorations or framing may differ from those in the scene.
  private var decoratedUntil = Int.min

  init(_ input: SegmentInput, sprites: DrawingSprites) {
    self.input = input
    self.sprites = sprites
    overlays = CanvasOverlays(input)
    places = Dictionary(uniqueKeysWithValues: input.slots.enumerated().map { ($1.id, $0) })
    scene = Scene(size: input.output.video.size, background: input.output.background, tiles: [])
    let background = input.look.value.background.flatMap { input.art.image(of: $0) }
    scene.backgroundPicture = background.map { Picture($0) }
  }

  /// Updates ``scene`` for `frame`.
  mutating func update(for frame: Int) {
    let attributes = input.scenes[frame]
    if attributes != self.attributes || frame >= decoratedUntil {
      self.attributes = attributes
      decoratedUntil = .max
      scene.tiles.removeAll(keepingCapacity: true)
      for attributes in attributes {
        guard let place = places[attributes.id] else { continue }
        scene.tiles.append(tile(attributes, input.slots[place], place, frame))
      }
    }
    if !overlays.isEmpty { scene.sprites = overlays.sprites(in: frame) }
  }

  private mutating func tile(
    _ attributes: LayoutAttributes, _ slot: TileTimeline, _ place: Int, _ frame: Int
  ) -> TilePlacement {
    let output = input.output
    var tile = TilePlacement(attributes, item: place, fit: attributes.fit ?? output.fit)
    let size = PixelSize(
      width: Int(saturating: attributes.displayFrame.width.rounded()),
      height: Int(saturating: attributes.displayFrame.height.rounded()))
    if attributes.cornerRadius == nil {
      tile.cornerRadius = output.style.radius(attributes.displayFrame, on: output.video.size)
    }
    tile.blursBars = output.style.blursBars && slot.kind == .camera
    if let index = slot.framing.index(in: frame) {
      let changes = slot.framing.all
      tile.focus = changes[index].value
      if index + 1 < changes.count {
        decoratedUntil = min(decoratedUntil, changes[index + 1].frame)
      }
    }
    if let index = slot.decorations.index(in: frame) {
      let changes = slot.decorations.all
      let change = changes[index]
      let area = attributes.decorated(slot, on: output.video.size)
      let origin = (
        x: area.x - Int(saturating: attributes.displayFrame.x.rounded()),
        y: area.y - Int(saturating: attributes.displayFrame.y.rounded())
      )
      var decorations = change.value
      if attributes.traits.contains(.withoutMicrophone) { decorations.isMuted = false }
      tile.sprites = sprites.decorations(
        decorations, on: PixelSize(width: area.width, height: area.height), from: origin)
      if index + 1 < changes.count {
        decoratedUntil = min(decoratedUntil, changes[index + 1].frame)
      }
      highlight(
        &tile, change, after: index > 0 ? changes[index - 1].value : nil, size, frame,
        isBordered: tile.border != nil && !attributes.traits.contains(.edged)
          || !attributes.isOneOfSeveral(self.attributes))
    }
    return tile
  }

  /// Adds a border to a tile while its participant speaks, with a fade in and out.
  private mutating func highlight(
    _ tile: inout TilePlacement, _ change: ValueTimeline<TileTimeline.Decorations>.Change,
    after before: TileTimeline.Decorations?, _ size: PixelSize, _ frame: Int, isBordered: Bool
  ) {
    let fade = input.output.highlightFade
    let (speaks, spoke) = (change.value.isSpeaking, before?.isSpeaking ?? change.value.isSpeaking)
    guard speaks || spoke, !isBordered, let look = sprites.highlight(on: size) else {
      return
    }
    let passed = speaks == spoke ? fade : min(fade, frame - change.frame + 1)
    let share = Double(speaks ? passed : fade - passed) / Double(fade)
    if passed < fade { decoratedUntil = min(decoratedUntil, frame + 1) }
    guard share > 0 else { return }
    tile.border = TilePlacement.Border(width: look.width, color: look.color, opacity: share)
  }
}

extension TilePlacement {
  /// Creates a tile from layout `attributes`. `item` is the index of its content.
  fileprivate init(_ attributes: LayoutAttributes, item: Int, fit: PictureFit) {
    self.init(item: item, frame: attributes.frame, fit: fit)
    if let aspectRatio = attributes.aspectRatio, let share = attributes.coverage {
      coverage = FillFraction(aspectRatio: aspectRatio, share: share)
    }
    alpha = attributes.alpha
    scale = attributes.scale
    zIndex = attributes.zIndex
    cornerRadius = attributes.cornerRadius ?? 0
    border = attributes.border.map { Border(width: $0.width, color: Color(rgb: $0.color)) }
  }
}
