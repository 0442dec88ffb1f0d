import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct DamageDetectionTests {
  /// Four tiles of 40x30 with gaps of 4 on a canvas of 88x68.
  private static let scene = Scene(
    size: PixelSize(width: 88, height: 68), background: .black,
    tiles: (0..<4).map { item in
      TilePlacement(
        item: item,
        frame: Rect(
          x: 2 + 44 * Double(item % 2), y: 2 + 34 * Double(item / 2), width: 40, height: 30))
    })

  private static func pictures(_ count: Int) -> [TileContent] {
    (0..<count).map { index in
      .picture(Pictures.plain(PixelSize(width: 64, height: 48), luma: UInt8(40 + index)))
    }
  }

  /// Returns the statistics of a change of one tile's picture.
  private static func statistics(ofChanging item: Int, in scene: Scene) -> ComposeStatistics {
    var compositor = Compositor()
    var canvas = Canvas(size: scene.size)
    var frames = ItemContents(pictures(4))
    _ = compositor.compose(scene, frames, onto: &canvas)
    frames.contents[item] = pictures(1)[0]
    return compositor.compose(scene, frames, onto: &canvas)
  }

  @Test func firstFrameWritesEverySampleOnce() {
    var compositor = Compositor()
    var canvas = Canvas(size: Self.scene.size)
    let statistics = compositor.compose(Self.scene, ItemContents(Self.pictures(4)), onto: &canvas)
    #expect(statistics.lumaPixels == 88 * 68)
    #expect(statistics.chromaPixels == 2 * 44 * 34)
    #expect(statistics.tilesRedrawn == 4)
  }

  @Test func unchangedFrameWritesNothing() {
    var compositor = Compositor()
    var canvas = Canvas(size: Self.scene.size)
    let frames = ItemContents(Self.pictures(4))
    _ = compositor.compose(Self.scene, frames, onto: &canvas)
    #expect(compositor.compose(Self.scene, frames, onto: &canvas) == ComposeStatistics())
  }

  @Test func changedPictureWritesItsTile() {
    let statistics = Self.statistics(ofChanging: 2, in: Self.scene)
    #expect(statistics.lumaPixels == 40 * 30)
    #expect(statistics.chromaPixels == 2 * 20 * 15)
    #expect(statistics.tilesRedrawn == 1)
  }

  @Test func tileWithOddEdgesWritesItsLuma() {
    var scene = Self.scene
    for index in scene.tiles.indices { scene.tiles[index].frame.x += 1 }
    let statistics = Self.statistics(ofChanging: 0, in: scene)
    #expect(statistics.lumaPixels == 40 * 30)
    // The chroma columns on both edges are written once, although the tile covers half of them.
    #expect(statistics.chromaPixels == 2 * 21 * 15)
  }

  @Test func translucentTileOverTheBackgroundIsWrittenOnce() {
    var scene = Self.scene
    for index in scene.tiles.indices { scene.tiles[index].alpha = 0.5 }
    let statistics = Self.statistics(ofChanging: 0, in: scene)
    #expect(statistics.lumaPixels == 40 * 30)
    #expect(statistics.chromaPixels == 2 * 20 * 15)
  }

  @Test func emptiedTileIsErased() {
    var compositor = Compositor()
    var canvas = Canvas(size: Self.scene.size)
    var contents = Self.pictures(4)
    _ = compositor.compose(Self.scene, ItemContents(contents), onto: &canvas)
    contents[3] = .empty
    let statistics = compositor.compose(Self.scene, ItemContents(contents), onto: &canvas)
    #expect(statistics.lumaPixels == 40 * 30)
    #expect(statistics.tilesRedrawn == 0)
    #expect(Snapshot(canvas) == compositor.snapshot(Self.scene, contents))
    #expect(Snapshot(canvas).luma(50, 40) == Color.black.canvasSample.luma)
  }

  @Test func placeholderIsDrawnOnce() {
    var compositor = Compositor()
    var canvas = Canvas(size: Self.scene.size)
    var contents = Self.pictures(4)
    contents[1] = .fill(.white)
    _ = compositor.compose(Self.scene, ItemContents(contents), onto: &canvas)
    let statistics = compositor.compose(Self.scene, ItemContents(contents), onto: &canvas)
    #expect(statistics == ComposeStatistics())
  }

  @Test func aMovedTileRedrawsItsOldAndNewPlace() {
    var compositor = Compositor()
    var canvas = Canvas(size: Self.scene.size)
    var scene = Scene(
      size: Self.scene.size, background: .black,
      tiles: [TilePlacement(item: 0, frame: Rect(x: 0, y: 0, width: 40, height: 30), fit: .cover)])
    let frames = ItemContents(Self.pictures(1))
    _ = compositor.compose(scene, frames, onto: &canvas)
    scene.tiles[0].frame.x = 10
    let statistics = compositor.compose(scene, frames, onto: &canvas)
    #expect(statistics.lumaPixels == 50 * 30)
    #expect(Snapshot(canvas) == compositor.snapshot(scene, frames.contents))
  }

  @Test func anInvalidatedCanvasIsRedrawn() {
    var compositor = Compositor()
    var canvas = Canvas(size: Self.scene.size)
    let frames = ItemContents(Self.pictures(4))
    let first = compositor.compose(Self.scene, frames, onto: &canvas)
    canvas.invalidate()
    #expect(compositor.compose(Self.scene, frames, onto: &canvas) == first)
  }
}
