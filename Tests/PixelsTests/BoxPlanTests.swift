import TestSupport
import Testing

@testable import TesseraPixels

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
      (5...8).flatMap { across in (1...8).map { Blocks(across: across, down: $0) } }
      + [
        Blocks(across: 5, down: 5, orientation: .flipped),
        Blocks(across: 5, down: 5, crop: (20, 10)), Blocks(across: 6, down: 5, crop: (0, 30)),
      ]

    var target: PixelSize { PixelSize(width: 40, height: 8) }

    var source: PixelSize {
      PixelSize(width: crop.x + across * target.width, height: crop.y + down * target.height)
    }

    func geometry(_ filter: ResampleFilter = .area) -> ResamplePlan.Geometry {
      .whole(source, to: target, filter: filter, orientation: orientation)
        .cropped(x: crop.x, y: crop.y)
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

  /// Chroma, whose blocks may begin a quarter within a sample, where little differs from two
  /// passes.
  @Test(arguments: Blocks.all, Kernels.Level.available)
  func smoothChromaIsCloseToTwoPasses(_ blocks: Blocks, level: Kernels.Level) {
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
    expectConstantsStayExact(blocks.geometry())
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

  /// Columns of black and white, whose weights two passes round.
  @Test(arguments: Blocks.all) func stripesFollowFloatingPoint(_ blocks: Blocks) {
    guard blocks.crop == (0, 0) else { return }
    let kernels = Kernels()
    let source = Samples(blocks.source.width, blocks.source.height) { x, _ in
      x.isMultiple(of: 2) ? 0 : 255
    }
    let reference = Reference(
      filter: .area, columns: .whole(source.size.width, to: blocks.target.width),
      rows: .whole(source.size.height, to: blocks.target.height))
    let made = source.picture().scaledLuma(
      ResamplePlan(blocks.geometry(), kernels: kernels), kernels: kernels)
    #expect(
      zip(made.values, reference.scale(source)).allSatisfy { abs(Double($0) - $1) <= 0.5 + 1e-9 })
  }

  /// For every sum that weights of one, two and four units can make: exactly with one and two, and
  /// nearly with four.
  @Test(arguments: [1, 2, 4]) func sumsAreRounded(unit: Int) {
    for (across, down) in (5...8).flatMap({ across in (1...8).map { (across, $0) } }) {
      let total = across * down * unit
      let (multiplier, shift) = BoxPlan.reciprocal(total)
      #expect((1...32767).contains(multiplier) && shift <= 22)
      let tolerance = unit == 4 ? total / 50 : 0
      #expect(
        (0...255 * total).allSatisfy { sum in
          let made = (sum * Int(multiplier) + 1 << (shift - 1)) >> shift
          let error = 2 * (made * total - sum)
          return -total < error && error <= total + tolerance
        })
    }
  }

  /// A part of a picture so low that its rows are all the same one.
  @Test func aPartOfNoHeightIsNoBlock() {
    var geometry = ResamplePlan.Geometry.whole(
      PixelSize(width: 400, height: 1), to: PixelSize(width: 80, height: 4), filter: .area)
    geometry.crop.height = 4e-7
    let plan = ResamplePlan(geometry, kernels: Kernels())
    #expect(!Self.isBox(plan.luma) && !Self.isBox(plan.chroma))
  }

  private static func isBox(_ plan: PlanePlan) -> Bool {
    if case .box = plan.method { true } else { false }
  }
}
