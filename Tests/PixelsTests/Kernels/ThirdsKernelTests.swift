import CTesseraPixelKernels
import TestSupport
import Testing

@testable import TesseraPixels

/// Means of so many eighths of a sample, the first of which begins so many after one's edge.
struct ThirdsShape: CustomTestStringConvertible {
  var across: Int
  var down: Int
  var fraction: Int
  var downFraction: Int

  /// All fractions across, with two, three and four rows for a result.
  static let all = [12, 24].flatMap { across in
    (0...7).map { fraction in
      ThirdsShape(
        across: across, down: fraction.isMultiple(of: 2) ? across : 36 - across, fraction: fraction,
        downFraction: [0, 4, 2, 4, 7, 4, 2, 4][fraction])
    }
  }

  var testDescription: String { "\(across)/8 from \(fraction)/8, \(down)/8 from \(downFraction)/8" }

  /// Where `count` results lie in rows `width` samples wide, the first of which begins in sample
  /// `first`.
  func columns(width: Int, first: Int, count: Int) -> AxisMapping {
    .windows(
      source: width, count: count, step: Double(across) / 8,
      start: Double(first) + Double(fraction) / 8)
  }

  /// Where result rows lie: they begin a row above the source and end below it.
  var rows: AxisMapping {
    .windows(
      source: Self.rows * down / 8 - 2, count: Self.rows, step: Double(down) / 8,
      start: Double(downFraction) / 8 - 1)
  }

  func plan(width: Int, first: Int, count: Int) -> ThirdsPlan? {
    ThirdsPlan(columns(width: width, first: first, count: count), rows, filter: .area)
  }

  /// The rows of results.
  static let rows = 5
}

@Suite struct ThirdsKernelTests {
  @Test(arguments: Kernels.Level.optimized, ThirdsShape.all)
  func followsTheReference(level: Kernels.Level, shape: ThirdsShape) throws {
    var generator = SplitMix64(seed: 79)
    for count in Array(1...70) + [127, 160, 641] {
      // From columns far before the source to some that end beyond it.
      let first = Int.random(in: -9...9, using: &generator)
      let width = max(64, count * shape.across / 8 + Int.random(in: -9...9, using: &generator))
      let plan = try #require(shape.plan(width: width, first: first, count: count))
      expectLevelsToAgree(
        level, size: PixelSize(width: width, height: unsafe Int(plan.plan.pointee.rows.source)),
        results: PixelSize(width: count, height: ThirdsShape.rows), using: &generator
      ) { table, call in
        unsafe table.thirds(
          call.target, call.targetStride, plan.plan, call.source, call.sourceStride,
          call.rows.lowerBound, call.rows.upperBound, call.columns.lowerBound,
          call.columns.upperBound)
      }
    }
  }

  /// Each result is its window's mean, rounded half-up: no weight is approximate. White, whose sums
  /// reach farthest, stays white.
  @Test(arguments: Kernels.Level.available, ThirdsShape.all)
  func resultsAreMeans(level: Kernels.Level, shape: ThirdsShape) throws {
    let (width, count) = (123, 50)
    let columns = shape.columns(width: width, first: -2, count: count)
    let plan = try #require(ThirdsPlan(columns, shape.rows, filter: .area))
    let noise = Samples.noise(width, shape.rows.sourceCount, seed: 14)
    let white = Samples(width, shape.rows.sourceCount) { _, _ in 255 }
    for source in [noise, white] {
      var target = [UInt8](repeating: 0, count: count * ThirdsShape.rows)
      unsafe target.withUnsafeMutableBufferPointer { target in
        unsafe source.values.withUnsafeBufferPointer { source in
          unsafe Kernels(level: level).table.thirds(
            target.baseAddress, count, plan.plan, source.baseAddress, width, 0, ThirdsShape.rows,
            0, count)
        }
      }
      let means = Reference(filter: .area, columns: .init(columns), rows: .init(shape.rows))
        .scale(source)
      #expect(
        zip(target, means).allSatisfy { $0 == UInt8(($1 + 0.5 + 1e-9).rounded(.down)) })
    }
  }
}

extension Reference.Axis {
  init(_ mapping: AxisMapping) {
    self.init(
      sourceCount: mapping.sourceCount, count: mapping.count, origin: mapping.origin,
      step: mapping.step)
  }
}
