import CAllocationCount
import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct AllocationTests {
  #if DEBUG
    private static let isOptimized = false
  #else
    private static let isOptimized = true
  #endif

  @Test func allocationsAreCounted() {
    let before = tac_count()
    let array = [Int](repeating: 1, count: 1000)
    #expect(tac_count() > before)
    #expect(array.count == 1000)
  }

  /// Nine tiles, plain and decorated, overlapping, rotated and converted, all of them changing.
  @Test(.enabled(if: isOptimized, "unoptimized code allocates where optimized code does not"))
  func steadyStateAllocatesNothing() {
    let sprite = Sprite(
      ColorImage(width: 8, height: 6, bytes: [UInt8](repeating: 90, count: 8 * 6 * 4)))
    let mask = Image(.gray8, size: PixelSize(width: 20, height: 9))
    var scene = Scene(size: PixelSize(width: 192, height: 108), background: .black, tiles: [])
    for item in 0..<9 {
      var tile = TilePlacement(
        item: item,
        frame: Rect(
          x: 5.5 + 60 * Double(item % 3), y: 3 + 33 * Double(item / 3), width: 62, height: 36))
      tile.fit = item.isMultiple(of: 2) ? .cover : .contain
      tile.alpha = item == 3 ? 0.5 : 1
      tile.cornerRadius = item == 4 ? 9 : 0
      tile.border = item == 5 ? TilePlacement.Border(width: 2, color: .white) : nil
      tile.sprites = [
        SpritePlacement(mask, in: .white, x: 2, y: 20),
        SpritePlacement(sprite, x: 4, y: 3, opacity: item == 2 ? 0.5 : 1),
      ]
      tile.blursBars = item == 7
      scene.tiles.append(tile)
    }
    let contents = (0..<2).map { ItemContents(Self.pictures(seed: $0)) }
    var compositor = Compositor()
    var canvas = Canvas(size: scene.size)
    for frame in 0..<4 { _ = compositor.compose(scene, contents[frame % 2], onto: &canvas) }
    let before = tac_count()
    var redrawn = 0
    for frame in 0..<10 {
      redrawn += compositor.compose(scene, contents[frame % 2], onto: &canvas).tilesRedrawn
      redrawn += compositor.compose(scene, contents[frame % 2], onto: &canvas).tilesRedrawn
    }
    #expect(tac_count() - before == 0)
    #expect(redrawn == 90)
  }

  private static func pictures(seed: Int) -> [TileContent] {
    var generator = SplitMix64(seed: UInt64(seed))
    return (0..<9).map { item in
      let picture = Pictures.noise(
        PixelSize(width: 40 + 13 * item, height: 90 - 7 * item),
        color: item == 1 ? ColorSpace(matrix: .bt601, range: .full) : .canvas,
        orientation: Orientation(rawValue: 1 + item % 8) ?? .upright, using: &generator)
      return item == 8
        ? .blend(from: .picture(picture), to: .fill(.white), weight: UInt8(90 + seed))
        : .picture(picture)
    }
  }
}
