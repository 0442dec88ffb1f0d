import TestSupport
import Testing

@testable import TesseraPixels

@Suite(.timed) struct PictureScalePlanTests {
  /// Draws a ramp of the coded picture and compares the source positions of the result.
  @Test func cropsAndSubpixelPositionsAreExact() {
    let source = Samples(400, 40) { x, _ in UInt8(x / 2) }
    let geometry = PictureScalePlan.Geometry(
      source: source.size, orientation: .upright,
      crop: PictureScalePlan.FractionalRect(x: 0.25, y: 0, width: 0.5, height: 1),
      destination: PictureScalePlan.FractionalRect(x: 10.5, y: 0, width: 100, height: 20),
      area: PixelRect(x: 11, y: 0, width: 99, height: 20), filter: .bilinear)
    let kernels = PixelKernels()
    let plan = PictureScalePlan(geometry, kernels: kernels)
    let result = source.picture().scaledLuma(plan, kernels: kernels)
    for x in 0..<99 {
      // Canvas pixel center 11.5 + x is 1 + x pixels inside the tile, each two source pixels wide.
      let position = 100 + 2 * (1 + Double(x)) - 0.5
      #expect(abs(Double(result[x, 7]) - (position - 0.5) / 2) <= 0.75)
    }
  }

  /// Returns the position of a chroma sample relative to the upper left of its four luma samples,
  /// in half pixels.
  private static func halves(_ siting: ChromaSiting) -> (x: Int, y: Int) {
    switch siting {
    case .left: (0, 1)
    case .center: (1, 1)
    case .topLeft: (0, 0)
    case .top: (1, 0)
    case .bottomLeft: (0, 2)
    case .bottom: (1, 2)
    }
  }

  @Test(arguments: ChromaSiting.allCases, [1.0, 1.7, 3.0, 0.6])
  func chromaStaysAlignedWithLuma(siting: ChromaSiting, step: Double) {
    // Equal ramps, two steps per column and row of luma.
    let halves = Self.halves(siting)
    let across = (
      Samples(120, 120) { x, _ in UInt8(2 * x) },
      Samples(60, 60) { x, _ in UInt8(4 * x + halves.x) }
    )
    let down = (
      Samples(120, 120) { _, y in UInt8(2 * y) },
      Samples(60, 60) { _, y in UInt8(4 * y + halves.y) }
    )
    let target = PixelSize(width: 2 * Int(60 / step), height: 2 * Int(60 / step))
    let kernels = PixelKernels()
    let plan = PictureScalePlan(.whole(across.0.size, to: target, chroma: siting), kernels: kernels)
    for (luma, chroma) in [across, down] {
      let picture = luma.picture(chroma: chroma, siting: siting)
      let drawnLuma = picture.scaledLuma(plan, kernels: kernels)
      let drawnChroma = picture.scaledBlue(plan, kernels: kernels)
      var sum = 0.0
      var count = 0.0
      for y in 4..<drawnChroma.size.height - 4 {
        for x in 4..<drawnChroma.size.width - 4 {
          // The canvas's chroma is on the even column, between two rows.
          let beside = Double(drawnLuma[2 * x, 2 * y]) + Double(drawnLuma[2 * x, 2 * y + 1])
          sum += Double(drawnChroma[x, y]) - beside / 2
          count += 1
        }
      }
      // A quarter of a source pixel would be 0.5.
      #expect(abs(sum / count) < 0.2)
    }
  }

  @Test(arguments: Orientation.allCases)
  func orientationsRotateThePicture(orientation: Orientation) {
    let source = Samples.noise(24, 10, seed: 5)
    let kernels = PixelKernels()
    let displayed = orientation.transposes ? source.size.transposed : source.size
    let plan = PictureScalePlan(
      .whole(source.size, to: displayed, orientation: orientation), kernels: kernels)
    var result = source.picture().scaledLuma(plan, kernels: kernels)
    if orientation.transposes { result = transposed(result, kernels: kernels) }
    let expected = Samples(displayed.width, displayed.height) { x, y in
      let (column, row) = orientation.transposes ? (y, x) : (x, y)
      return source[
        orientation.mirrorsHorizontally ? 23 - column : column,
        orientation.mirrorsVertically ? 9 - row : row]
    }
    #expect(result == expected)
  }

  private func transposed(_ samples: Samples, kernels: PixelKernels) -> Samples {
    let image = Image(.gray8, size: samples.size.transposed)
    let picture = samples.picture()
    withExtendedLifetime(picture) { kernels.transpose(picture.luma, into: image[plane: 0]) }
    return Samples(image[plane: 0].readOnly)
  }
}
