import TesseraCodecs
import TesseraCompositor
import TesseraPixels
import TesseraPlan

/// Composes frames: draws scene and contents onto a canvas.
struct FrameComposer: ~Copyable {
  /// The canvas with the last composed frame.
  private(set) var canvas: Canvas
  /// Number of pixels that were written in all frames.
  private(set) var statistics = ComposeStatistics()
  private var compositor: Compositor
  private var contents: SlotContents
  private var stage: FrameSceneBuilder

  init(_ input: SegmentInput, kernels: PixelKernels) {
    compositor = Compositor(kernels: kernels, filter: input.output.filter)
    canvas = Canvas(size: input.output.video.size)
    let sprites = DrawingSprites(input)
    contents = SlotContents(input, sprites: sprites)
    stage = FrameSceneBuilder(input, sprites: sprites)
  }

  /// The tiles of the last frame.
  var tiles: [TilePlacement] { stage.scene.tiles }

  /// The area of the canvas that the last frame changed.
  var damage: CanvasDamage { compositor.damage }

  /// Makes the next frame redraw the whole canvas.
  mutating func invalidate() { canvas.invalidate() }

  /// Composes `frame`. `tracks` are the contents of the input's tracks, in order.
  mutating func compose(_ frame: Int, _ tracks: [TrackContent]) {
    contents.update(for: frame, tracks)
    stage.update(for: frame)
    statistics.add(compositor.compose(stage.scene, contents.contents, onto: &canvas))
  }
}

extension ComposeStatistics {
  /// Number of luma and chroma samples that were written.
  var pixels: Int { lumaPixels + chromaPixels }

  fileprivate mutating func add(_ other: ComposeStatistics) {
    lumaPixels += other.lumaPixels
    chromaPixels += other.chromaPixels
    tilesRedrawn += other.tilesRedrawn
  }
}
