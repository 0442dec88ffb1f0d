import TestSupport
import Testing

@testable import TesseraPixels

@Suite(.timed) struct PictureTests {
  private func picture(_ orientation: Orientation) -> Picture {
    Picture(
      Image(.yuv420p8, size: PixelSize(width: 720, height: 577)), color: .canvas,
      orientation: orientation, sampleAspectRatio: SampleAspectRatio(16, 11))
  }

  @Test func theDisplaySizeFollowsAspectRatioAndOrientation() {
    let upright = picture(.upright)
    #expect(upright.displayAspectRatio == 720.0 * (16.0 / 11.0) / 577.0)
    #expect(upright.orientedSize == PixelSize(width: 720, height: 577))
    #expect(upright.blue.size == PixelSize(width: 360, height: 289))
    let turned = picture(.rotated90)
    #expect(turned.displayAspectRatio == 1 / upright.displayAspectRatio)
    #expect(turned.orientedSize == PixelSize(width: 577, height: 720))
  }

  @Test func noTwoPicturesShareAnIdentity() {
    #expect(picture(.upright).identity != picture(.upright).identity)
  }

  @Test func unknownAspectRatiosAreSquare() {
    #expect(SampleAspectRatio(0, 1) == .square)
    #expect(SampleAspectRatio(4, 0) == .square)
  }

  @Test(arguments: Orientation.allCases)
  func orientationsAreComposedOfTheirParts(orientation: Orientation) {
    #expect(
      Orientation(
        transposed: orientation.transposes, mirroredHorizontally: orientation.mirrorsHorizontally,
        mirroredVertically: orientation.mirrorsVertically) == orientation)
  }
}
