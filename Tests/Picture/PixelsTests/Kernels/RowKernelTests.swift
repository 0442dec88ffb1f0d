import CTesseraPixelKernels
import TestSupport
import Testing

@testable import TesseraPixels

@Suite(.timed) struct RowKernelTests {
  private static let counts = Array(1...160) + [255, 401, 1283, 1920]

  /// Expects that `body` has equal results on a copy of `start` at two levels, on either side of a
  /// guarded buffer.
  private func expectEqual(
    _ start: [UInt8], level: PixelKernels.InstructionSet,
    _ body: (PixelKernels, UnsafeMutablePointer<UInt8>) -> Void
  ) {
    for side in GuardedBuffer<UInt8>.Side.allCases {
      let results = [level, .c].map { level in
        let buffer = GuardedBuffer(start, side: side)
        unsafe body(PixelKernels(level: level), buffer.base)
        return buffer.array
      }
      #expect(results[0] == results[1])
    }
  }

  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func blendsEqualTheReference(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 31)
    for count in Self.counts {
      let source = GuardedBuffer(generator.samples(count))
      let coverage = GuardedBuffer(generator.samples(count))
      unsafe expectEqual(generator.samples(count), level: level) { kernels, target in
        unsafe kernels.table.blend(target, source.base, coverage.base, count)
      }
      defer { withExtendedLifetime((source, coverage)) {} }
      let value = UInt8.random(in: 0...255, using: &generator)
      unsafe expectEqual(generator.samples(count), level: level) { kernels, target in
        unsafe kernels.table.blend_over(target, 0, 1, value, coverage.base, count)
      }
      unsafe expectEqual(generator.samples(count), level: level) { kernels, target in
        unsafe kernels.table.blend_under(target, 0, 1, value, coverage.base, count)
      }
    }
  }

  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func blendsAValueOverAllRows(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 35)
    for count in [1, 3, 31, 32, 33, 70] {
      let (stride, rows) = (count + 5, 7)
      let coverage = GuardedBuffer(generator.samples(count))
      unsafe expectEqual(generator.samples(stride * (rows - 1) + count), level: level) {
        unsafe $0.table.blend_over($1, stride, rows, 201, coverage.base, count)
        unsafe $0.table.blend_under($1, stride, rows, 77, coverage.base, count)
      }
      withExtendedLifetime(coverage) {}
    }
  }

  @Test func blendRoundsHalfUpBetweenTheTwo() {
    for coverage in 0...255 {
      for (below, above) in [(0, 255), (255, 0), (17, 200), (90, 90)] {
        let weight = coverage == 255 ? 256 : coverage
        let expected = UInt8((below * (256 - weight) + above * weight + 128) >> 8)
        let kernels = PixelKernels(level: .c).table
        let (over, under) = (GuardedBuffer([UInt8(below)]), GuardedBuffer([UInt8(above)]))
        unsafe kernels.blend_over(over.base, 0, 1, UInt8(above), [UInt8(coverage)], 1)
        unsafe kernels.blend_under(under.base, 0, 1, UInt8(below), [UInt8(coverage)], 1)
        #expect(over.array == [expected] && under.array == [expected])
      }
    }
  }

  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func conversionsEqualTheReference(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 32)
    let conversions = ColorSpace.Matrix.allCases.flatMap { matrix in
      [ColorSpace.Range.limited, .full].compactMap {
        ColorConversion(from: ColorSpace(matrix: matrix, range: $0))
      }
    }
    for count in Self.counts {
      var matrix = conversions[count % conversions.count].matrix
      let chroma = (0..<2).map { _ in GuardedBuffer(generator.samples(count)) }
      defer { withExtendedLifetime(chroma) {} }
      unsafe expectEqual(generator.samples(count), level: level) { kernels, target in
        unsafe kernels.table.convert_luma(target, chroma[0].base, chroma[1].base, &matrix, count)
      }
      let red = generator.samples(count)
      unsafe expectEqual(generator.samples(count), level: level) { kernels, target in
        let other = GuardedBuffer(red)
        unsafe kernels.table.convert_chroma(target, other.base, &matrix, count)
      }
      unsafe expectEqual(red, level: level) { kernels, target in
        let other = GuardedBuffer(red.reversed())
        unsafe kernels.table.convert_chroma(other.base, target, &matrix, count)
      }
    }
  }

  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func copyWritesTheRowsAndNothingBetweenThem(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 36)
    for count in Self.counts {
      let rows = [1, 7, 8, 19, 32][count % 5]
      let (stride, sourceStride) = (count + count % 67, count + count % 3)
      let source = GuardedBuffer(generator.samples(sourceStride * (rows - 1) + count))
      defer { withExtendedLifetime(source) {} }
      let last = unsafe source.base + sourceStride * (rows - 1)
      unsafe expectEqual(generator.samples(stride * (rows - 1) + count), level: level) {
        unsafe $0.table.copy($1, stride, source.base, sourceStride, rows, count)
      }
      unsafe expectEqual(generator.samples(stride * (rows - 1) + count), level: level) {
        unsafe $0.table.copy($1, stride, last, -sourceStride, rows, count)
      }
    }
  }

  @Test(arguments: PixelKernels.InstructionSet.available)
  func transposeExchangesColumnsAndRows(level: PixelKernels.InstructionSet) {
    var generator = SplitMix64(seed: 33)
    for width in Array(1...40) + [64, 97] {
      for height in [1, 2, 7, 15, 16, 17, 33, 48, 65] {
        let values = generator.bytes(width * height)
        let source = GuardedBuffer(values)
        let target = GuardedBuffer<UInt8>(count: width * height)
        defer { withExtendedLifetime(source) {} }
        unsafe PixelKernels(level: level).table.transpose(
          target.base, height, source.base, width, height, width)
        let expected = (0..<width * height).map { values[$0 % height * width + $0 / height] }
        #expect(target.array == expected)
      }
    }
  }
}
