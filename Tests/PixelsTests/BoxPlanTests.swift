import TestSupport
import Testing

@testable import Pixels

@Suite struct BoxPlanTests {
  /// Blocks of so many source pixels.
  struct Blocks: CustomTestStringConvertible {
    var across: Int
    var down: Int
    var orientation = Orientation.upright
    /// The source pixels before those that are shown.
    var crop = (x: 0, y: 0)

    var testDescription: String { "\(across):1, \(down):1, \(orientation), from \(crop)" }

    static let all =
      (5...8).flatMap { across in [2, 3, 5, 6, 7, 8].map { Blocks(across: across, down: $0) } }
      + [
        Blocks(across: 5, down: 5, orientation: .flipped),
        Blocks(across: 5, down: 5, crop: (20, 10)), Blocks(across: 6, down: 5, crop: (0, 30)),
      ]

    var target: PixelSize { PixelSize(width: 40, height: 8) }

    var source: PixelSize {
      PixelSize(width: crop.x + across * target.width, height: crop.y + down * target.height)
    }

    func geometry(_ filter: ResampleFilter = .area) -> ResamplePlan.Geometry {
      var geometry = ResamplePlan.Geometry.whole(
        source, to: target, filter: filter, orientation: orientation)
      let (x, y) = (
        Double(crop.x) / Double(source.width), Double(crop.y) / Double(source.height)
      )
      geometry.crop = ResamplePlan.Area(x: x, y: y, width: 1 - x, height: 1 - y)
      return geometry
    }
  }

  @Test(arguments: Blocks.all) func wholeBlocksTakeOneStep(_ blocks: Blocks) {
    let plan = ResamplePlan(blocks.geometry(), kernels: Kernels())
    #expect(Self.isBox(plan.luma) && Self.isBox(plan.chroma))
  }

  /// Luma is the mean of its block, rounded half-up; no weight is approximate.
  @Test(arguments: Blocks.all, Kernels.Level.available)
  func lumaIsTheMean(_ blocks: Blocks, level: Kernels.Level) {
    let kernels = Kernels(level: level)
    let source = Samples.noise(blocks.source.width, blocks.source.height, seed: 12)
    let made = source.picture().scaledLuma(
      ResamplePlan(blocks.geometry(), kernels: kernels), kernels: kernels)
    let seen = blocks.orientation == .flipped ? source.flipped : source
    let count = blocks.across * blocks.down
    let means = Samples(blocks.target.width, blocks.target.height) { x, y in
      let sum = (0..<count).reduce(0) { sum, index in
        sum
          + Int(
            seen[
              blocks.crop.x + x * blocks.across + index % blocks.across,
              blocks.crop.y + y * blocks.down + index / blocks.across])
      }
      return UInt8((2 * sum + count) / (2 * count))
    }
    #expect(made == means)
  }

  /// Chroma, whose blocks may begin a quarter within a sample, differs from the two passes by their
  /// rounding of weights only.
  @Test(arguments: Blocks.all, Kernels.Level.available)
  func chromaIsCloseToTwoPasses(_ blocks: Blocks, level: Kernels.Level) {
    let kernels = Kernels(level: level)
    let size = blocks.source.chroma
    let picture = Samples.noise(blocks.source.width, blocks.source.height, seed: 13)
      .picture(chroma: .waves(size.width, size.height))
    defer { withExtendedLifetime(picture) {} }
    let plan = ResamplePlan(blocks.geometry(), kernels: kernels).chroma
    let made = plan.scale(picture.blue, kernels: kernels)
    let passes = PlanePlan(byPasses: plan).scale(picture.blue, kernels: kernels)
    #expect(zip(made.values, passes.values).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test(arguments: Blocks.all) func constantsStayExact(_ blocks: Blocks) {
    let kernels = Kernels()
    let plan = ResamplePlan(blocks.geometry(), kernels: kernels)
    for value: UInt8 in [0, 1, 16, 127, 128, 235, 254, 255] {
      let chroma = blocks.source.chroma
      let picture = Samples(blocks.source.width, blocks.source.height) { _, _ in value }
        .picture(chroma: Samples(chroma.width, chroma.height) { _, _ in value })
      for made in [
        picture.scaledLuma(plan, kernels: kernels), picture.scaledBlue(plan, kernels: kernels),
      ] {
        #expect(made.values.allSatisfy { $0 == value })
      }
    }
  }

  @Test func otherBlocksDoNot() {
    var shifted = Blocks(across: 5, down: 5).geometry()
    shifted.destination.y = 0.5
    var others = [shifted, Blocks(across: 5, down: 5).geometry(.bicubic)]
    others += [
      Blocks(across: 5, down: 5, orientation: .mirrored), Blocks(across: 9, down: 9),
      Blocks(across: 3, down: 3), Blocks(across: 5, down: 9),
    ].map { $0.geometry() }
    for geometry in others {
      let plan = ResamplePlan(geometry, kernels: Kernels())
      #expect(!Self.isBox(plan.luma) && !Self.isBox(plan.chroma), "\(geometry)")
    }
  }

  /// For every sum of weights, from 5 samples of one row to 8 of 8 in quarters.
  @Test func sumsAreDividedAsIfExactly() {
    for total in 5...256 {
      let (multiplier, shift) = BoxPlan.reciprocal(total)
      #expect((1...32767).contains(multiplier) && shift <= 22)
      // The farthest from exact are the largest sums.
      for value in [1, 100, 254, 255] {
        let made = (value * total * Int(multiplier) + 1 << (shift - 1)) >> shift
        #expect(made == value)
      }
    }
  }

  private static func isBox(_ plan: PlanePlan) -> Bool {
    if case .box = plan.method { true } else { false }
  }
}
