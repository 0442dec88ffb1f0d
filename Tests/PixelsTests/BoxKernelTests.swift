import CPixelKernels
import TestSupport
import Testing

@testable import Pixels

/// Blocks whose means a kernel is asked for.
struct BoxShape: CustomTestStringConvertible {
  var across: Int
  /// How many quarters of a sample the blocks begin behind the first one's edge.
  var quarters: Int
  var down: Int

  static let all = (5...8).flatMap { across in
    (0...3).flatMap { quarters in
      (1...8).map { BoxShape(across: across, quarters: quarters, down: $0) }
    }
  }

  var testDescription: String { "\(across):1 and \(quarters)/4, \(down):1" }

  /// The plan of `count` results in columns that begin `first` samples behind the source's first
  /// one, of rows that begin a row above it.
  func plan(width: Int, first: Int, count: Int) throws -> BoxPlan {
    let columns = Self.mapping(
      source: width, count: count, step: across, start: Double(first) + Double(quarters) / 4)
    let rows = Self.mapping(
      source: Self.rows * down - 2, count: Self.rows, step: down, start: -1)
    return try #require(BoxPlan(columns, rows, filter: .area))
  }

  /// The rows of results.
  static let rows = 3

  private static func mapping(
    source: Int, count: Int, step: Int, start: Double
  ) -> AxisMapping {
    var mapping = AxisMapping(
      AxisMapping.Pixels(
        source: source, cropStart: 0, cropLength: 1, destinationStart: 0,
        destinationLength: Double(count), mirrored: false),
      first: 0, count: count, source: .luma, canvas: .luma)
    mapping.step = Double(step)
    mapping.origin = start + (mapping.step - 1) / 2
    return mapping
  }
}

@Suite struct BoxKernelTests {
  @Test(arguments: Kernels.Level.optimized, BoxShape.all)
  func followsTheReference(level: Kernels.Level, shape: BoxShape) throws {
    var generator = SplitMix64(seed: 78)
    for count in Array(1...40) + [63, 64, 65, 127, 160, 213] {
      // From columns far before the source to some that end beyond it.
      let first = Int.random(in: -2 * shape.across...9, using: &generator)
      let width = max(64, count * shape.across + Int.random(in: -9...9, using: &generator))
      let plan = try shape.plan(width: width, first: first, count: count)
      let sourceRows = unsafe Int(plan.plan.pointee.source_rows)
      let stride = width + 3
      let values: ClosedRange<UInt8> = count.isMultiple(of: 3) ? 255...255 : 0...255
      let samples = (0..<stride * (sourceRows - 1) + width).map { _ in
        UInt8.random(in: values, using: &generator)
      }
      let start = Int.random(in: 0..<count, using: &generator)
      let end = Int.random(in: start...count, using: &generator)
      for (range, top) in [(0..<count, 0), (start..<end, 1)] {
        for side in GuardedBuffer<UInt8>.Side.allCases {
          for isFlipped in [false, true] {
            let source = GuardedBuffer(samples, side: side)
            defer { withExtendedLifetime(source) {} }
            let made = [level, .c].map { level in
              let target = GuardedBuffer(
                [UInt8](repeating: 9, count: (BoxShape.rows - top) * (range.count + 1) - 1),
                side: side)
              unsafe Kernels(level: level).table.box(
                target.base, range.count + 1, plan.plan,
                source.base + (isFlipped ? stride * (sourceRows - 1) : 0),
                isFlipped ? -stride : stride, top, BoxShape.rows, range.lowerBound,
                range.upperBound)
              return target.array
            }
            #expect(made[0] == made[1], "\(count) results of \(width) samples from \(first)")
          }
        }
      }
    }
  }
}
