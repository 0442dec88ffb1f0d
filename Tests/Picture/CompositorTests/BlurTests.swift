import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct BlurTests {
  private static let size = PixelSize(width: 160, height: 90)

  private static func scene(_ fit: PictureFit) -> Scene {
    let frame = Rect(x: 0, y: 0, width: 160, height: 90)
    return Scene(
      size: size, background: .white, tiles: [TilePlacement(item: 0, frame: frame, fit: fit)])
  }

  @Test(arguments: Orientation.allCases)
  func thePictureItselfEqualsContain(orientation: Orientation) {
    var generator = SplitMix64(seed: 5)
    let picture = TileContent.picture(
      Pictures.noise(
        orientation.transposes
          ? PixelSize(width: 80, height: 60) : PixelSize(width: 60, height: 80),
        orientation: orientation, using: &generator))
    var compositor = Compositor()
    let blurred = compositor.snapshot(Self.scene(.blur), [picture])
    let contained = compositor.snapshot(Self.scene(.contain), [picture])
    // 68 of 160 columns.
    for y in 0..<90 {
      for x in 46..<114 { #expect(blurred.luma(x, y) == contained.luma(x, y)) }
    }
    #expect(contained.luma(10, 45) == 235)
    #expect(blurred.luma(10, 45) < 120)
  }

  @Test func barsAreADimmedCopy() {
    // Dark above, bright below.
    let content = TileContent.picture(
      Pictures.drawn(
        PixelSize(width: 60, height: 80), luma: { _, y in y < 40 ? 40 : 220 },
        blue: { _, _ in 90 }, red: { _, _ in 160 }))
    var compositor = Compositor()
    let shown = compositor.snapshot(Self.scene(.blur), [content])
    #expect(abs(Int(shown.luma(8, 2)) - 32) < 24)
    #expect(abs(Int(shown.luma(8, 88)) - 150) < 24)
    let middle = Int(shown.luma(8, 66))
    #expect(middle > 50 && middle < 130)
    #expect((shown.blue(4, 30), shown.red(4, 30)) == (103, 149))
  }

  @Test func allLevelsGiveEqualBytes() {
    var generator = SplitMix64(seed: 6)
    let content = TileContent.picture(
      Pictures.noise(
        PixelSize(width: 121, height: 333), color: ColorSpace(matrix: .bt601, range: .full),
        orientation: .rotated90, using: &generator))
    var reference = Compositor(kernels: PixelKernels(level: .c))
    let expected = reference.snapshot(Self.scene(.blur), [content])
    for level in PixelKernels.InstructionSet.available {
      var compositor = Compositor(kernels: PixelKernels(level: level))
      let shown = compositor.snapshot(Self.scene(.blur), [content])
      #expect(shown.firstDifference(from: expected) == nil)
    }
  }
}
