import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TestSupport
import Testing

/// A change of a tile's decoration damages only the decoration's area.
@Suite(.timed) struct DecorationDamageTests {
  private static let size = PixelSize(width: 128, height: 72)

  private static func sprite(_ width: Int, _ height: Int) -> Sprite {
    Sprite(
      ColorImage(
        width: width, height: height,
        bytes: (0..<width * height).flatMap { _ -> [UInt8] in [90, 20, 60, 120] }))
  }

  private static func tile() -> TilePlacement {
    var tile = TilePlacement(item: 0, frame: Rect(x: 4, y: 2, width: 100, height: 60), fit: .cover)
    tile.border = TilePlacement.Border(width: 2, color: .white)
    tile.sprites = [SpritePlacement(sprite(20, 10), x: 6, y: 40)]
    return tile
  }

  /// Returns the statistics of `change` in a scene of one tile, and expects that the result equals
  /// a redraw.
  private static func drawn(
    _ content: TileContent, sourceLocation: SourceLocation = #_sourceLocation,
    change: (inout Scene) -> Void
  ) -> ComposeStatistics {
    var scene = Scene(size: size, background: .black, tiles: [tile()])
    var compositor = Compositor()
    var canvas = Canvas(size: size)
    let frames = ItemContents([content])
    _ = compositor.compose(scene, frames, onto: &canvas)
    change(&scene)
    let statistics = compositor.compose(scene, frames, onto: &canvas)
    #expect(
      Snapshot(canvas).firstDifference(from: compositor.snapshot(scene, frames.contents)) == nil,
      sourceLocation: sourceLocation)
    return statistics
  }

  private static var picture: TileContent {
    var generator = SplitMix64(seed: 7)
    return .picture(Pictures.noise(PixelSize(width: 160, height: 90), using: &generator))
  }

  @Test func fadingSpriteDrawsItsRectangle() {
    let statistics = Self.drawn(Self.picture) { $0.tiles[0].sprites[0].opacity = 0.4 }
    #expect(statistics.lumaPixels == 20 * 10)
    #expect(statistics.chromaPixels == 2 * 10 * 5)
  }

  @Test func aMovedSpriteDrawsItsOldAndNewPlace() {
    let statistics = Self.drawn(Self.picture) { $0.tiles[0].sprites[0].x += 30 }
    #expect(statistics.lumaPixels == 2 * 20 * 10)
  }

  @Test func fadingBorderDrawsARing() {
    let statistics = Self.drawn(Self.picture) { $0.tiles[0].border?.opacity = 0.5 }
    #expect(statistics.lumaPixels > 0)
    #expect(statistics.lumaPixels <= 2 * 3 * (100 + 60))
  }

  @Test func vanishingBorderDrawsARing() {
    let statistics = Self.drawn(Self.picture) { $0.tiles[0].border = nil }
    #expect(statistics.lumaPixels > 0)
    #expect(statistics.lumaPixels <= 2 * 3 * (100 + 60))
  }

  @Test func spriteOverTheCanvasDrawsItsRectangle() {
    let statistics = Self.drawn(Self.picture) {
      $0.sprites = [SpritePlacement(Self.sprite(16, 8), x: 110, y: 62, opacity: 0.5)]
    }
    // The background, the tile or nothing below, and the sprite itself.
    #expect(statistics.lumaPixels == 2 * 16 * 8)
  }

  @Test func unchangedCardCostsNothing() {
    let card = TileCard(
      color: .white,
      steps: [
        TileCard.Step(
          least: PixelSize(width: 1, height: 1),
          parts: [TileCard.PlacedDrawing(centered: Self.sprite(30, 30))])
      ])
    #expect(Self.drawn(.card(card)) { _ in } == ComposeStatistics())
  }

  @Test func blendsByWeight() {
    var compositor = Compositor()
    let scene = Scene(
      size: Self.size, background: .black,
      tiles: [TilePlacement(item: 0, frame: Rect(x: 0, y: 0, width: 128, height: 72), fit: .cover)])
    func luma(_ weight: UInt8) -> UInt8 {
      let content = TileContent.blend(
        from: .picture(Pictures.plain(PixelSize(width: 64, height: 36), luma: 40)),
        to: .fill(.white), weight: weight)
      return compositor.snapshot(scene, [content]).luma(50, 30)
    }
    #expect(luma(0) == 40)
    #expect(luma(64) == 89)
    #expect(luma(128) == 138)
    #expect(luma(255) == 235)
  }

  @Test func aCardShowsItsLargestStepThatFits() {
    let card = TileCard(
      color: .black,
      steps: [10, 60].map { side in
        TileCard.Step(
          least: PixelSize(width: side, height: side),
          parts: [TileCard.PlacedDrawing(centered: Self.sprite(side, side))])
      })
    var compositor = Compositor()
    func covered(_ side: Double) -> Int {
      let tile = TilePlacement(item: 0, frame: Rect(x: 0, y: 0, width: side, height: side))
      let shown = compositor.snapshot(
        Scene(size: Self.size, background: .black, tiles: [tile]), [.card(card)])
      return shown.planes[0].count { $0 != 16 }
    }
    #expect(covered(8) == 0)
    #expect(covered(58) == 100)
    #expect(covered(60) == 3600)
  }
}
