import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct GoldenTests {
  private static let size = PixelSize(width: 160, height: 90)

  /// Returns diagonal waves of luma, with chroma that changes along both sides.
  private static func waves(
    _ size: PixelSize, color: ColorSpace = .canvas, orientation: Orientation = .upright,
    sampleAspectRatio: SampleAspectRatio = .square
  ) -> TileContent {
    .picture(
      Pictures.drawn(
        size, color: color, orientation: orientation, sampleAspectRatio: sampleAspectRatio,
        luma: { x, y in UInt8(40 + (3 * x + 5 * y) % 180) },
        blue: { x, _ in UInt8(64 + 128 * x / size.chroma.width) },
        red: { _, y in UInt8(64 + 128 * y / size.chroma.height) }))
  }

  @Test func gridOfDifferentPictures() throws {
    let tiles = (0..<6).map { item in
      TilePlacement(
        item: item,
        frame: Rect(
          x: 1.5 + 53 * Double(item % 3), y: 1.25 + 44.5 * Double(item / 3), width: 51,
          height: 43))
    }
    var compositor = Compositor()
    let canvas = compositor.snapshot(
      Scene(size: Self.size, background: Color(rgb: 0x101418), tiles: tiles),
      [
        Self.waves(PixelSize(width: 128, height: 72)),
        Self.waves(PixelSize(width: 72, height: 128)),
        Self.waves(PixelSize(width: 128, height: 72), orientation: .rotated90),
        Self.waves(PixelSize(width: 33, height: 21), sampleAspectRatio: SampleAspectRatio(2, 3)),
        Self.waves(
          PixelSize(width: 64, height: 48), color: ColorSpace(matrix: .bt601, range: .full)),
        .fill(Color(rgb: 0x405060)),
      ])
    try Golden("grid").expect(canvas)
  }

  @Test func decoratedTilesOverEachOther() throws {
    let image = Image(.gray8, size: PixelSize(width: 30, height: 9))
    for y in 0..<9 { for x in 0..<30 { image[plane: 0][x, y] = UInt8(x * 8 + y) } }
    let tiles = (0..<3).map { item in
      var tile = TilePlacement(
        item: item,
        frame: Rect(x: 5.3 + 42 * Double(item), y: 8 + 7.5 * Double(item), width: 64, height: 54),
        fit: .cover)
      tile.cornerRadius = 4 + 5 * Double(item)
      tile.border = TilePlacement.Border(width: 1.5 + Double(item), color: Color(rgb: 0x30d060))
      tile.alpha = item == 1 ? 0.7 : 1
      tile.scale = item == 2 ? 0.9 : 1
      tile.zIndex = item == 0 ? 1 : 0
      tile.sprites = [SpritePlacement(image, in: .white, x: 3, y: 41)]
      return tile
    }
    var compositor = Compositor()
    let canvas = compositor.snapshot(
      Scene(size: Self.size, background: Color(rgb: 0x101418), tiles: tiles),
      (0..<3).map { Self.waves(PixelSize(width: 96 + 20 * $0, height: 72)) })
    try Golden("decorated").expect(canvas)
  }
}
