import TestSupport
import Testing

@testable import TesseraPixels

/// Plans of any geometry: small and large ratios, any phase, pictures of a few samples.
@Suite(.timed) struct GeometryRangeTests {
  private func geometry(
    _ filter: ResampleFilter, using generator: inout SplitMix64
  ) -> PictureScalePlan.Geometry {
    func side(_ most: Int) -> Int {
      let limit = [3, 40, most][Int.random(in: 0..<3, using: &generator)]
      return Int.random(in: 1...limit, using: &generator)
    }
    func fraction(_ range: ClosedRange<Double>) -> Double {
      Double.random(in: range, using: &generator)
    }
    let area = PixelRect(
      x: .random(in: 0...9, using: &generator), y: .random(in: 0...9, using: &generator),
      width: side(400), height: side(60))
    let (width, height) = (fraction(0.001...1), fraction(0.001...1))
    return PictureScalePlan.Geometry(
      source: PixelSize(width: side(1900), height: side(300)),
      orientation: Orientation.allCases.randomElement(using: &generator) ?? .upright,
      crop: PictureScalePlan.FractionalRect(
        x: fraction(0...1 - width), y: fraction(0...1 - height), width: width, height: height),
      destination: PictureScalePlan.FractionalRect(
        x: Double(area.x) - fraction(0...3), y: Double(area.y) - fraction(0...3),
        width: Double(area.width) + fraction(-0.9...4),
        height: Double(area.height) + fraction(-0.9...4)),
      area: area, filter: filter)
  }

  @Test(arguments: ResampleFilter.allCases)
  func anyGeometryKeepsConstants(filter: ResampleFilter) {
    var generator = SplitMix64(seed: 77)
    for _ in 0..<1000 {
      let geometry = geometry(filter, using: &generator)
      let size = geometry.source
      let value = UInt8.random(in: 0...255, using: &generator)
      let chroma = Samples(size.chroma.width, size.chroma.height) { _, _ in value }
      let picture = Samples(size.width, size.height) { _, _ in value }.picture(chroma: chroma)
      for level in PixelKernels.InstructionSet.available {
        let kernels = PixelKernels(level: level)
        let plan = PictureScalePlan(geometry, kernels: kernels)
        let luma = picture.scaledLuma(plan, kernels: kernels)
        let blue = picture.scaledBlue(plan, kernels: kernels)
        #expect(luma.values.allSatisfy { $0 == value })
        #expect(blue.values.allSatisfy { $0 == value })
      }
    }
  }
}
