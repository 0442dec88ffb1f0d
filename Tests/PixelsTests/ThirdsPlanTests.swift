import TestSupport
import Testing

@testable import TesseraPixels

@Suite struct ThirdsPlanTests {
  /// Every three source pixels along an axis make one or two results.
  struct Thirds: CustomTestStringConvertible {
    var across: Int
    var down: Int
    var orientation = Orientation.upright
    /// The source pixels before those that are shown.
    var crop = (x: 0, y: 0)

    var testDescription: String { "\(across) and \(down) of 3, \(orientation), from \(crop)" }

    static let all =
      [(1, 1), (1, 2), (2, 1), (2, 2)].map { Thirds(across: $0.0, down: $0.1) }
      + [
        Thirds(across: 2, down: 2, orientation: .flipped),
        Thirds(across: 2, down: 2, crop: (30, 12)), Thirds(across: 1, down: 2, crop: (2, 0)),
      ]

    var target: PixelSize { PixelSize(width: 44 * across, height: 8 * down) }

    var source: PixelSize { PixelSize(width: crop.x + 132, height: crop.y + 24) }

    func geometry(_ filter: ResampleFilter = .area) -> ResamplePlan.Geometry {
      .whole(source, to: target, filter: filter, orientation: orientation)
        .cropped(x: crop.x, y: crop.y)
    }
  }

  @Test(arguments: Thirds.all) func thirdsTakeOneStep(_ thirds: Thirds) {
    let plan = ResamplePlan(thirds.geometry(), kernels: Kernels())
    #expect(Self.isThirds(plan.luma) && Self.isThirds(plan.chroma))
  }

  @Test func othersDoNot() {
    var shifted = Thirds(across: 2, down: 2).geometry()
    shifted.destination.x = 0.2
    let others =
      [shifted, Thirds(across: 2, down: 2).geometry(.bicubic)]
      + [
        Thirds(across: 2, down: 2, orientation: .mirrored), Thirds(across: 3, down: 3),
        Thirds(across: 4, down: 4),
      ].map { $0.geometry() }
    for geometry in others {
      let plan = ResamplePlan(geometry, kernels: Kernels())
      #expect(!Self.isThirds(plan.luma) && !Self.isThirds(plan.chroma), "\(geometry)")
    }
  }

  /// For every sum that weights can make.
  @Test(arguments: [9, 18, 36, 72, 144]) func sumsAreRounded(total: Int) {
    let (multiplier, shift) = ThirdsPlan.reciprocal(total)
    #expect(multiplier <= UInt16.max && shift >= 16)
    #expect(
      (0...255 * total).allSatisfy { sum in
        ((sum + total / 2) * Int(multiplier)) >> shift == (2 * sum + total) / (2 * total)
      })
  }

  @Test(arguments: Thirds.all) func constantsStayExact(_ thirds: Thirds) {
    expectConstantsStayExact(thirds.geometry())
  }

  private static func isThirds(_ plan: PlanePlan) -> Bool {
    if case .thirds = plan.method { true } else { false }
  }
}
