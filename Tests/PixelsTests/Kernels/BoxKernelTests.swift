import CTesseraPixelKernels
import TestSupport
import Testing

@testable import TesseraPixels

/// Blocks whose means a kernel is asked for.
struct BoxShape: CustomTestStringConvertible {
  var across: Int
  /// How many quarters of a sample the blocks begin after the first one's edge.
  var quarters: Int
  var down: Int

  static let all = (5...8).flatMap { across in
    (0...3).flatMap { quarters in
      (1...8).map { BoxShape(across: across, quarters: quarters, down: $0) }
    }
  }

  var testDescription: String { "\(across):1 and \(quarters)/4, \(down):1" }

  /// The plan of `count` results in columns that begin `first` samples after the source's first
  /// one, of rows that begin a row above it.
  func plan(width: Int, first: Int, count: Int) throws -> BoxPlan {
    let columns = AxisMapping.windows(
      source: width, count: count, step: Double(across), start: Double(first) + Double(quarters) / 4
    )
    let rows = AxisMapping.windows(
      source: Self.rows * down - 2, count: Self.rows, step: Double(down), start: -1)
    return try #require(BoxPlan(columns, rows, filter: .area))
  }

  /// The rows of results.
  static let rows = 3
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
      expectLevelsToAgree(
        level, size: PixelSize(width: width, height: unsafe Int(plan.plan.pointee.source_rows)),
        results: PixelSize(width: count, height: BoxShape.rows), using: &generator
      ) { table, call in
        unsafe table.box(
          call.target, call.targetStride, plan.plan, call.source, call.sourceStride,
          call.rows.lowerBound, call.rows.upperBound, call.columns.lowerBound,
          call.columns.upperBound)
      }
    }
  }
}
