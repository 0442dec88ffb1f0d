import TestSupport
import Testing

@testable import TesseraPixels

@Suite(.timed) struct SpriteTests {
  /// Returns a drawing of one color, opaque at positions for which `isCovered` returns true.
  static func drawing(
    _ width: Int, _ height: Int, _ color: Color,
    where isCovered: (Int, Int) -> Bool = { _, _ in true }
  ) -> ColorImage {
    let pixels = (0..<width * height).flatMap { index -> [UInt8] in
      isCovered(index % width, index / width)
        ? [color.red, color.green, color.blue, 255] : [0, 0, 0, 0]
    }
    return ColorImage(width: width, height: height, bytes: pixels)
  }

  @Test(arguments: [false, true], [false, true])
  func aPlainColorIsTheCanvasColorInTheCoveredArea(oddX: Bool, oddY: Bool) {
    let color = Color(rgb: 0xd02040)
    let sprite = Sprite(Self.drawing(7, 5, color) { x, _ in x < 4 })
    let sample = color.canvasSample
    let (blue, red) = (
      Samples(sprite.chroma(isRed: false, oddX: oddX, oddY: oddY)),
      Samples(sprite.chroma(isRed: true, oddX: oddX, oddY: oddY))
    )
    let coverage = Samples(sprite.coverage.chroma(oddX: oddX, oddY: oddY))
    #expect(blue.size == coverage.size && red.size == coverage.size)
    for y in 0..<coverage.size.height {
      for x in 0..<coverage.size.width where coverage[x, y] > 0 {
        #expect(blue[x, y] == sample.blue && red[x, y] == sample.red)
      }
    }
    for y in 0..<5 {
      for x in 0..<4 { #expect(sprite.luma[x, y] == sample.luma) }
      for x in 0..<7 { #expect(sprite.coverage.luma[x, y] == (x < 4 ? 255 : 0)) }
    }
  }

  @Test func aFilledSpriteEqualsThatOfAFilledDrawing() {
    let color = Color(rgb: 0x1260b0)
    let (filled, drawn) = (
      Sprite(filled: color, size: PixelSize(width: 7, height: 5)), Sprite(Self.drawing(7, 5, color))
    )
    #expect(Samples(filled.luma) == Samples(drawn.luma))
    #expect(Samples(filled.coverage.luma) == Samples(drawn.coverage.luma))
    for (isRed, oddX, oddY) in (0..<8).map({ ($0 & 1 > 0, $0 & 2 > 0, $0 & 4 > 0) }) {
      let (one, other) = (
        filled.chroma(isRed: isRed, oddX: oddX, oddY: oddY),
        drawn.chroma(isRed: isRed, oddX: oddX, oddY: oddY)
      )
      #expect(Samples(one) == Samples(other))
    }
  }

  @Test func premultipliedComponentsAreDivided() {
    let sprite = Sprite(ColorImage(width: 1, height: 1, bytes: [100, 50, 0, 100]))
    #expect(sprite.luma[0, 0] == Color(red: 255, green: 128, blue: 0).canvasSample.luma)
    #expect(sprite.coverage.luma[0, 0] == 100)
  }

  @Test func componentsAboveTheirAlphaAreClamped() {
    let sprite = Sprite(ColorImage(width: 1, height: 1, bytes: [255, 255, 255, 10]))
    #expect(sprite.luma[0, 0] == 235)
  }

  @Test func chromaIsSitedAtTheLeft() {
    // Red increases by one step per column: sample c is on column 2c.
    let bytes = (0..<2 * 16).flatMap { index -> [UInt8] in
      [UInt8(8 * (index % 16)), 0, 0, 255]
    }
    let sprite = Sprite(ColorImage(width: 16, height: 2, bytes: bytes))
    let red = sprite.chroma(isRed: true, oddX: false, oddY: false)
    for c in 1..<8 {
      #expect(red[c, 0] == Color(red: UInt8(16 * c), green: 0, blue: 0).canvasSample.red)
    }
  }
}
