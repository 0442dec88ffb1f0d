import TesseraCodecs
import TesseraCompositor
import TesseraPixels
import TesseraPlan

/// Composes frames: scene and contents to a canvas.
struct Composition: ~Copyable {
  /// What the last frame looks like.
  private(set) var canvas: Canvas
  /// How many pixels were written in all.
  private(set) var statistics = ComposeStatistics()
  private var compositor: Compositor
  private var contents: SlotContents
  private var stage: Stage

  /// The composition of `input` before its first frame.
  init(_ input: SegmentInput, kernels: Kernels) {
    compositor = Compositor(kernels: kernels, filter: input.output.filter)
    canvas = Canvas(size: input.output.video.size)
    let sprites = LookSprites(input)
    contents = SlotContents(input, sprites: sprites)
    stage = Stage(input, sprites: sprites)
  }

  /// The tiles of the last frame.
  var tiles: [TileDraw] { stage.scene.tiles }

  /// What of the canvas the last frame changed.
  var damage: Damage { compositor.damage }

  /// Draws all of the next frame.
  mutating func invalidate() { canvas.invalidate() }

  /// Composes `frame` of what the input's tracks show.
  mutating func compose(_ frame: Int, _ tracks: [TrackContent]) {
    contents.update(for: frame, tracks)
    stage.update(for: frame)
    statistics.add(compositor.compose(stage.scene, contents.contents, onto: &canvas))
  }
}

extension ComposeStatistics {
  /// The samples of all planes.
  var pixels: Int { lumaPixels + chromaPixels }

  fileprivate mutating func add(_ other: ComposeStatistics) {
    lumaPixels += other.lumaPixels
    chromaPixels += other.chromaPixels
    tilesRedrawn += other.tilesRedrawn
  }
}
