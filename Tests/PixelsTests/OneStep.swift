import CTesseraPixelKernels
import TestSupport
import Testing

@testable import TesseraPixels

/// What a kernel that scales in one step reads and writes, between pages that cannot be touched.
@safe struct OneStepCall {
  let target: UnsafeMutablePointer<UInt8>
  let targetStride: Int
  let source: UnsafePointer<UInt8>
  let sourceStride: Int
  let rows: Range<Int>
  let columns: Range<Int>
}

/// Expects that `make` writes at `level` what it writes at the reference's: all results of a random
/// source of `size`, and some of them; from the first row down and from the last one up.
func expectLevelsToAgree(
  _ level: Kernels.Level, size: PixelSize, results: PixelSize,
  using generator: inout SplitMix64, make: (tpk_table, OneStepCall) -> Void
) {
  let values: ClosedRange<UInt8> = results.width.isMultiple(of: 3) ? 255...255 : 0...255
  let stride = size.width + 3
  let samples = (0..<stride * (size.height - 1) + size.width).map { _ in
    UInt8.random(in: values, using: &generator)
  }
  let first = Int.random(in: 0..<results.width, using: &generator)
  let last = Int.random(in: first...results.width, using: &generator)
  let top = Int.random(in: 0..<results.height, using: &generator)
  for (columns, rows) in [
    (0..<results.width, 0..<results.height), (first..<last, top..<results.height),
  ] {
    for (side, isFlipped) in GuardedBuffer<UInt8>.Side.allCases.flatMap({
      [($0, false), ($0, true)]
    }) {
      let source = GuardedBuffer(samples, side: side)
      defer { withExtendedLifetime(source) {} }
      let made = [level, .c].map { level in
        let target = GuardedBuffer(
          [UInt8](repeating: 9, count: rows.count * (columns.count + 1) - 1), side: side)
        let call = unsafe OneStepCall(
          target: target.base, targetStride: columns.count + 1,
          source: UnsafePointer(source.base + (isFlipped ? stride * (size.height - 1) : 0)),
          sourceStride: isFlipped ? -stride : stride, rows: rows, columns: columns)
        make(Kernels(level: level).table, call)
        return target.array
      }
      #expect(
        made[0] == made[1], "\(results) results of \(size) samples, \(columns) of rows \(rows)")
    }
  }
}

/// Expects that pictures of one value keep it.
func expectConstantsStayExact(_ geometry: ResamplePlan.Geometry) {
  let kernels = Kernels()
  let plan = ResamplePlan(geometry, kernels: kernels)
  let (size, chroma) = (geometry.source, geometry.source.chroma)
  for value: UInt8 in [0, 1, 16, 127, 128, 235, 254, 255] {
    let picture = Samples(size.width, size.height) { _, _ in value }
      .picture(chroma: Samples(chroma.width, chroma.height) { _, _ in value })
    for made in [
      picture.scaledLuma(plan, kernels: kernels), picture.scaledBlue(plan, kernels: kernels),
    ] {
      #expect(made.values.allSatisfy { $0 == value })
    }
  }
}

extension AxisMapping {
  /// Windows side by side, `step` samples wide, of which the first one begins at `start`.
  static func windows(source: Int, count: Int, step: Double, start: Double) -> AxisMapping {
    var mapping = AxisMapping(
      AxisMapping.Pixels(
        source: source, cropStart: 0, cropLength: 1, destinationStart: 0,
        destinationLength: Double(count), mirrored: false),
      first: 0, count: count, source: .luma, canvas: .luma)
    mapping.step = step
    mapping.origin = start + (step - 1) / 2
    return mapping
  }
}
