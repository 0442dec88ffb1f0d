import TestSupport
import Testing

@testable import TesseraPixels

@Suite(.timed) struct PlaneResamplerTests {
  @Test(arguments: ResampleFilter.allCases)
  func drawingAtTheSameSizeCopies(filter: ResampleFilter) {
    for (width, height) in [(1, 1), (7, 3), (64, 20), (201, 17)] {
      let source = Samples.noise(width, height, seed: UInt64(width))
      #expect(scaled(source, to: width, height, filter: filter) == source)
    }
  }

  @Test(arguments: ResampleFilter.allCases, [UInt8(0), 1, 16, 127, 128, 235, 254, 255])
  func constantsStayConstant(filter: ResampleFilter, value: UInt8) {
    for (from, to) in [((320, 90), (107, 31)), ((33, 21), (100, 64)), ((3, 2), (5, 9))] {
      let source = Samples(from.0, from.1) { _, _ in value }
      let result = scaled(source, to: to.0, to.1, filter: filter)
      #expect(result.values.allSatisfy { $0 == value })
    }
  }

  @Test(arguments: ResampleFilter.allCases)
  func mirroringCommutesWithScaling(filter: ResampleFilter) {
    for (width, height) in [(70, 40), (213, 50), (90, 133)] {
      let source = Samples.noise(160, 90, seed: 3)
      let upright = scaled(source, to: width, height, filter: filter)
      #expect(scaled(source.mirrored, to: width, height, filter: filter) == upright.mirrored)
      #expect(scaled(source.flipped, to: width, height, filter: filter) == upright.flipped)
      func turned(_ orientation: Orientation) -> Samples {
        scaled(source, to: width, height, filter: filter, orientation: orientation)
      }
      #expect(turned(.mirrored) == upright.mirrored)
      #expect(turned(.flipped) == upright.flipped)
      #expect(turned(.rotated180) == upright.mirrored.flipped)
    }
  }

  @Test(arguments: PixelKernels.InstructionSet.available, [2, 4])
  func wholeRatiosOfTheAreaFilterAreMeans(level: PixelKernels.InstructionSet, side: Int) {
    let (width, height) = (131, 23)
    let source = Samples.noise(side * width, side * height, seed: 8)
    let means = Samples(width, height) { x, y in
      var sum = side * side / 2
      for v in 0..<side {
        for u in 0..<side { sum += Int(source[side * x + u, side * y + v]) }
      }
      return UInt8(sum / (side * side))
    }
    let kernels = PixelKernels(level: level)
    #expect(scaled(source, to: width, height, filter: .area, kernels: kernels) == means)
    let flipped = scaled(
      source, to: width, height, filter: .area, orientation: .flipped, kernels: kernels)
    #expect(flipped == means.flipped)
  }

  @Test(
    arguments: ResampleFilter.allCases,
    [
      (640, 360), (582, 327), (426, 240), (320, 180), (290, 163), (256, 144), (180, 101), (97, 55),
      (1280, 720), (1700, 957),
    ])
  func resultsFollowTheFloatingPointReference(filter: ResampleFilter, target: (Int, Int)) {
    let smooth = Samples.waves(1280, 720)
    let noise = Samples.noise(640, 360, seed: 9)
    for (source, least) in [(smooth, 55.0), (noise, 50.0)] {
      let reference = Reference(
        filter: filter, columns: .whole(source.size.width, to: target.0),
        rows: .whole(source.size.height, to: target.1))
      let result = scaled(source, to: target.0, target.1, filter: filter)
      let difference = Difference(result.values, from: reference.scale(source))
      #expect(difference.psnr >= least)
      #expect(abs(difference.bias) < 0.02)
    }
  }

  @Test func partsEqualTheWhole() {
    let source = Samples.noise(333, 217, seed: 1)
    let picture = source.picture(chroma: .noise(167, 109, seed: 2))
    var generator = SplitMix64(seed: 4)
    let kernels = PixelKernels()
    defer { withExtendedLifetime(picture) {} }
    for _ in 0..<40 {
      let target = PixelSize(
        width: .random(in: 2...400, using: &generator),
        height: .random(in: 2...300, using: &generator))
      let plan = PictureScalePlan(.whole(source.size, to: target), kernels: kernels)
      for (plane, input) in [(plan.luma, picture.luma), (plan.chroma, picture.blue)] {
        let whole = plane.scale(input, kernels: kernels)
        let left = Int.random(in: 0..<plane.size.width, using: &generator)
        let right = Int.random(in: left + 1...plane.size.width, using: &generator)
        let top = Int.random(in: 0..<plane.size.height, using: &generator)
        let bottom = Int.random(in: top + 1...plane.size.height, using: &generator)
        let part = plane.scale(
          input, kernels: kernels, columns: left..<right, rows: top..<bottom)
        #expect(part == Samples(right - left, bottom - top) { whole[left + $0, top + $1] })
      }
    }
  }

  /// Bands of any height, with gaps, from pictures of at least one row and column.
  @Test(arguments: ResampleFilter.allCases)
  func bandsEqualTheWhole(filter: ResampleFilter) {
    var generator = SplitMix64(seed: 5)
    let kernels = PixelKernels()
    for _ in 0..<60 {
      let source = Samples.noise(
        .random(in: 1...300, using: &generator), .random(in: 1...200, using: &generator), seed: 6)
      let picture = source.picture()
      defer { withExtendedLifetime(picture) {} }
      let target = PixelSize(
        width: .random(in: 1...250, using: &generator),
        height: .random(in: 1...120, using: &generator))
      let orientation = [Orientation.upright, .flipped].randomElement(using: &generator)
      let plan = PictureScalePlan(
        .whole(source.size, to: target, filter: filter, orientation: orientation ?? .upright),
        kernels: kernels
      ).luma
      let whole = plan.scale(picture.luma, kernels: kernels)
      var resampler = PlaneResampler(kernels: kernels)
      resampler.begin(plan, source: picture.luma, columns: 0..<target.width)
      var y = 0
      while y < target.height {
        let end = min(y + .random(in: 1...20, using: &generator), target.height)
        let band = Image(.gray8, size: PixelSize(width: target.width, height: end - y))
        resampler.rows(y..<end, into: band[plane: 0])
        let first = y
        let expected = Samples(target.width, end - first) { whole[$0, first + $1] }
        #expect(Samples(band[plane: 0].readOnly) == expected)
        y = end + ([0, 0, 3, 30].randomElement(using: &generator) ?? 0)
      }
    }
  }
}
