import CTesseraPixelKernels
import TestSupport
import Testing

@testable import TesseraPixels

@Suite struct DirectPlanTests {
  /// A geometry and how its planes are scaled.
  struct Case: CustomTestStringConvertible {
    var source: PixelSize
    var target: PixelSize
    var filter: ResampleFilter
    /// The first source column and row that are shown.
    var crop = (x: 0, y: 0)
    var orientation = Orientation.upright

    var testDescription: String {
      "\(source.width)x\(source.height) to \(target.width)x\(target.height), \(filter.rawValue), "
        + "from \(crop), \(orientation)"
    }

    /// `across` and `down` source pixels for each target pixel.
    init(
      _ across: (Int, Int), _ down: (Int, Int), _ filter: ResampleFilter, crop: (Int, Int) = (0, 0),
      orientation: Orientation = .upright
    ) {
      let (width, height) = (12 * 26, 12 * 3)
      target = PixelSize(width: width / across.0 * across.1, height: height / down.0 * down.1)
      source = PixelSize(width: width + crop.0, height: height + crop.1)
      (self.filter, self.crop, self.orientation) = (filter, crop, orientation)
    }

    var geometry: ResamplePlan.Geometry {
      let (x, y) = (
        Double(crop.x) / Double(source.width), Double(crop.y) / Double(source.height)
      )
      return ResamplePlan.Geometry(
        source: source, orientation: orientation,
        crop: ResamplePlan.Area(x: x, y: y, width: 1 - x, height: 1 - y),
        destination: ResamplePlan.Area(
          x: 0, y: 0, width: Double(target.width), height: Double(target.height)),
        area: PixelRect(target), filter: filter)
    }
  }

  static let direct = [
    Case((2, 1), (2, 1), .area), Case((4, 1), (4, 1), .area), Case((4, 3), (4, 3), .area),
    Case((4, 3), (2, 1), .area), Case((2, 1), (4, 3), .area), Case((4, 1), (2, 1), .area),
    Case((2, 1), (2, 1), .area, crop: (4, 6)), Case((4, 1), (4, 1), .area, crop: (12, 2)),
    Case((4, 3), (4, 3), .area, crop: (8, 2)),
    Case((2, 1), (2, 1), .area, orientation: .flipped),
    Case((4, 3), (4, 3), .area, orientation: .flipped),
    Case((2, 1), (2, 1), .bilinear), Case((4, 3), (1, 2), .area),
    Case((2, 1), (1, 1), .bilinear),
  ]

  @Test(arguments: direct) func coarseWeightsNeedOneStep(_ example: Case) {
    let plan = ResamplePlan(example.geometry, kernels: Kernels())
    #expect(Self.isDirect(plan.luma) && Self.isDirect(plan.chroma))
  }

  /// The last column and row are made of one sample each, whose weight is more than a product may
  /// be.
  @Test(arguments: Kernels.Level.available)
  func heavyEdgesStayExact(level: Kernels.Level) {
    let kernels = Kernels(level: level)
    var geometry = ResamplePlan.Geometry.whole(
      PixelSize(width: 639, height: 359), to: PixelSize(width: 320, height: 180), filter: .area)
    (geometry.destination.width, geometry.destination.height) = (319.5, 179.5)
    let plan = ResamplePlan(geometry, kernels: kernels).luma
    #expect(Self.isDirect(plan))
    let picture = Samples.noise(639, 359, seed: 3).picture()
    defer { withExtendedLifetime(picture) {} }
    let passes = PlanePlan(byPasses: plan)
    #expect(
      plan.scale(picture.luma, kernels: kernels) == passes.scale(picture.luma, kernels: kernels))
  }

  @Test func otherWeightsNeedTwoPasses() {
    let others = [
      Case((3, 1), (3, 1), .area), Case((3, 2), (2, 1), .area), Case((2, 1), (3, 1), .area),
      Case((2, 1), (2, 1), .bicubic), Case((4, 1), (4, 1), .lanczos), Case((2, 1), (6, 1), .area),
      Case((2, 1), (2, 1), .area, orientation: .mirrored),
    ]
    for example in others {
      let plan = ResamplePlan(example.geometry, kernels: Kernels())
      #expect(
        !Self.isDirect(plan.luma) && !Self.isDirect(plan.chroma), "\(example.testDescription)")
    }
  }

  /// Every level, luma and chroma, whole rows and parts of them.
  @Test(arguments: direct, Kernels.Level.available)
  func oneStepEqualsTwoPasses(_ example: Case, level: Kernels.Level) {
    let kernels = Kernels(level: level)
    let luma = Samples.noise(example.source.width, example.source.height, seed: 5)
    let chroma = Samples.noise(
      (example.source.width + 1) / 2, (example.source.height + 1) / 2, seed: 6)
    let picture = luma.picture(chroma: chroma)
    defer { withExtendedLifetime(picture) {} }
    let plan = ResamplePlan(example.geometry, kernels: kernels)
    var generator = SplitMix64(seed: 7)
    for (plan, plane) in [(plan.luma, picture.luma), (plan.chroma, picture.blue)] {
      let passes = PlanePlan(byPasses: plan)
      let whole = passes.scale(plane, kernels: kernels)
      #expect(plan.scale(plane, kernels: kernels) == whole)
      for _ in 0..<8 {
        let first = Int.random(in: 0..<plan.size.width, using: &generator)
        let columns = first..<Int.random(in: first + 1...plan.size.width, using: &generator)
        let top = Int.random(in: 0..<plan.size.height, using: &generator)
        let rows = top..<plan.size.height
        let part = Samples(columns.count, rows.count) { whole[columns.lowerBound + $0, top + $1] }
        #expect(plan.scale(plane, kernels: kernels, columns: columns, rows: rows) == part)
      }
    }
  }

  /// Crops at any sample, areas that reach beyond the destination, and rows enlarged.
  @Test(arguments: Kernels.Level.available)
  func oneStepEqualsTwoPassesAnywhere(level: Kernels.Level) {
    var generator = SplitMix64(seed: 8)
    let kernels = Kernels(level: level)
    var direct = 0
    for _ in 0..<120 {
      let geometry = Self.random(using: &generator)
      let luma = Samples.noise(geometry.source.width, geometry.source.height, seed: 9)
      let chroma = Samples.noise(
        geometry.source.chroma.width, geometry.source.chroma.height, seed: 10)
      let picture = luma.picture(chroma: chroma)
      defer { withExtendedLifetime(picture) {} }
      let plan = ResamplePlan(geometry, kernels: kernels)
      for (plan, plane) in [(plan.luma, picture.luma), (plan.chroma, picture.blue)]
      where Self.isDirect(plan) {
        let passes = PlanePlan(byPasses: plan)
        direct += 1
        #expect(plan.scale(plane, kernels: kernels) == passes.scale(plane, kernels: kernels))
      }
    }
    #expect(direct > 60)
  }

  private static func random(
    using generator: inout SplitMix64
  ) -> ResamplePlan.Geometry {
    let source = PixelSize(
      width: .random(in: 280...420, using: &generator),
      height: .random(in: 24...60, using: &generator))
    let (x, y) = (
      Int.random(in: 0...9, using: &generator), Int.random(in: 0...9, using: &generator)
    )
    let across = [2.0, 4.0, 4.0 / 3.0].randomElement(using: &generator) ?? 2.0
    let down = [0.5, 1.0, 2.0, 4.0, 4.0 / 3.0].randomElement(using: &generator) ?? 2.0
    let (width, height) = (source.width - x, source.height - y)
    let shown = (Double(width), Double(height))
    let destination = ResamplePlan.Area(
      x: 0, y: 0, width: shown.0 / across, height: shown.1 / down)
    let beyond = Int.random(in: 0...3, using: &generator)
    return ResamplePlan.Geometry(
      source: source, orientation: Bool.random(using: &generator) ? .upright : .flipped,
      crop: ResamplePlan.Area(
        x: Double(x) / Double(source.width), y: Double(y) / Double(source.height),
        width: shown.0 / Double(source.width), height: shown.1 / Double(source.height)),
      destination: destination,
      area: PixelRect(
        x: -beyond & ~1, y: 0, width: Int(destination.width.rounded(.up)) + 2 * beyond,
        height: Int(destination.height.rounded(.up)) + beyond),
      filter: Bool.random(using: &generator) ? .area : .bilinear)
  }

  private static func isDirect(_ plan: PlanePlan) -> Bool {
    if case .direct = plan.method { true } else { false }
  }
}
