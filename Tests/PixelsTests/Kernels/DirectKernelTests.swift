import CTesseraPixelKernels
import TestSupport
import Testing

@testable import TesseraPixels

/// What a kernel that does both passes in one step is asked for.
struct DirectShape: CustomTestStringConvertible {
  var rows: Int
  var phases: Int
  var terms: Int

  static let all = [2, 4].flatMap { rows in
    [(1, 1), (1, 2), (2, 2), (3, 3)].map {
      DirectShape(rows: rows, phases: $0.0, terms: $0.1)
    }
  }

  var testDescription: String { "\(rows) rows, \(phases) phases, \(terms) terms" }

  /// A random plan for results of which every `phases` lie four samples apart from those before,
  /// and its source's width; edge samples stand in for those outside the source.
  func plan(count: Int, using generator: inout SplitMix64) -> (DirectPlan, width: Int)? {
    let width = max(
      4 * (count / phases) + Int.random(in: 0...7, using: &generator), Int(TPK_WINDOW) + 8)
    let pattern = pattern(using: &generator)
    let results = (0..<count).map { result in
      let model = pattern[result % phases]
      return Self.within(
        width,
        TapWeights(first: model.first + result / phases * 4, weights: model.weights.map { 8 * $0 }))
    }
    let weights = Self.rowWeights.randomElement(using: &generator)?[rows] ?? []
    let axis = HorizontalAxis(
      Self.mapping(width, count), AxisTaps(results), kernels: Kernels())
    // The first rows lie above the source and the last ones below; every other row is mirrored.
    let all = (-2...3).map { first in
      let weights = first.isMultiple(of: 2) ? weights : weights.reversed()
      return TapWeights(first: first, weights: weights.map { 2048 * $0 })
    }
    let plan = DirectPlan(
      axis, AxisTaps(results), rows: AxisTaps(all), sourceRows: rows + 1)
    return plan.map { ($0, width) }
  }

  /// Weights of eighths; with 16 sixteenths across, 7 are as much as a product may be.
  private static let rowWeights = [
    [2: [4, 4], 4: [1, 3, 3, 1]], [2: [7, 1], 4: [7, 0, 0, 1]], [2: [1, 7], 4: [2, 2, 2, 2]],
  ]

  /// The first tap and the weights, in sixteenths, of the results of group 0.
  private func pattern(using generator: inout SplitMix64) -> [TapWeights] {
    func random(_ taps: ClosedRange<Int>) -> TapWeights {
      var weights = [Int](repeating: 0, count: Int.random(in: taps, using: &generator))
      for _ in 0..<16 { weights[Int.random(in: weights.indices, using: &generator)] += 1 }
      return TapWeights(first: Int.random(in: -5...6, using: &generator), weights: weights)
    }
    var results = [random(terms > phases ? 5...5 : 1...(phases == 1 ? 1 : 4))]
    if phases == 2 {
      results.append(TapWeights(first: results[0].first + 2, weights: results[0].weights))
    }
    while results.count < phases { results.append(random(1...4)) }
    return results
  }

  private static func within(_ width: Int, _ result: TapWeights) -> TapWeights {
    func clamped(_ sample: Int) -> Int { min(max(0, sample), width - 1) }
    let first = clamped(result.first)
    let last = clamped(result.first + result.weights.count - 1)
    var weights = [Int](repeating: 0, count: last - first + 1)
    for (tap, weight) in result.weights.enumerated() {
      weights[clamped(result.first + tap) - first] += weight
    }
    return TapWeights(first: first, weights: weights)
  }

  private static func mapping(_ width: Int, _ count: Int) -> AxisMapping {
    AxisMapping(
      AxisMapping.Pixels(
        source: width, cropStart: 0, cropLength: 1, destinationStart: 0,
        destinationLength: Double(count), mirrored: false),
      first: 0, count: count, source: .luma, canvas: .luma)
  }
}

@Suite struct DirectKernelTests {
  @Test(arguments: Kernels.Level.optimized, DirectShape.all)
  func followsTheReference(level: Kernels.Level, shape: DirectShape) throws {
    var generator = SplitMix64(seed: 77)
    for count in Array(1...160) + [213, 320, 641, 1283] {
      guard let (plan, width) = shape.plan(count: count, using: &generator) else {
        // A pattern takes more than one group, most of which lie within the source.
        #expect(count / shape.phases < 8)
        continue
      }
      // A few results may follow another pattern by chance.
      let phases = unsafe Int(plan.plan.pointee.phases)
      #expect(phases == shape.phases || count < 16)
      expectLevelsToAgree(
        level, size: PixelSize(width: width, height: shape.rows + 1),
        results: PixelSize(width: count, height: 6), using: &generator
      ) { table, call in
        unsafe table.direct(
          call.target, call.targetStride, plan.plan, call.source, call.sourceStride,
          call.rows.lowerBound, call.rows.upperBound, call.columns.lowerBound,
          call.columns.upperBound)
      }
    }
  }
}
