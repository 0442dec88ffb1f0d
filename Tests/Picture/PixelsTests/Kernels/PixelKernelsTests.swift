import CTesseraPixelKernels
import TestSupport
import Testing

@testable import TesseraPixels

extension PixelKernels.InstructionSet {
  /// The levels of this processor that are compared with the reference.
  static var optimized: [PixelKernels.InstructionSet] { available.filter { $0 != .c } }
}

extension SplitMix64 {
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }

  /// Returns either noise or only the two extremes.
  mutating func samples(_ count: Int) -> [UInt8] {
    if Bool.random(using: &self) { return bytes(count) }
    return (0..<count).map { _ in Bool.random(using: &self) ? 255 : 0 }
  }
}

@Suite(.timed) struct PixelKernelsTests {
  @Test(arguments: PixelKernels.InstructionSet.available)
  func theTableIsThatOfTheRequestedLevel(level: PixelKernels.InstructionSet) {
    let kernels = PixelKernels(level: level)
    #expect(kernels.level == level)
    #expect(kernels.table.level == level.code)
  }

  @Test(arguments: PixelKernels.InstructionSet.optimized)
  func scalingDoesNotFallBackToTheReference(level: PixelKernels.InstructionSet) {
    let (table, reference) = (PixelKernels(level: level).table, PixelKernels(level: .c).table)
    func address(_ function: some Any) -> UInt {
      unsafe withUnsafeBytes(of: function) { unsafe $0.loadUnaligned(as: UInt.self) }
    }
    #expect(unsafe address(table.horizontal) != address(reference.horizontal))
    #expect(unsafe address(table.vertical) != address(reference.vertical))
    // On arm64 the compiler vectorizes the other kernels for the only level.
    guard level != .neon else { return }
    #expect(unsafe address(table.blend) != address(reference.blend))
    #expect(unsafe address(table.blend_over) != address(reference.blend_over))
    #expect(unsafe address(table.blend_under) != address(reference.blend_under))
    #expect(unsafe address(table.convert_luma) != address(reference.convert_luma))
    #expect(unsafe address(table.convert_chroma) != address(reference.convert_chroma))
    #expect(unsafe address(table.transpose) != address(reference.transpose))
  }

  @Test func avx512IsTheBetterOfTwo() {
    let available = PixelKernels.InstructionSet.available
    let best = [PixelKernels.InstructionSet.avx512, .avx512vnni].first(where: available.contains)
    #expect(PixelKernels.InstructionSet.avx512.substitute == best)
    for level in PixelKernels.InstructionSet.allCases where level != .avx512 {
      #expect(level.substitute == (available.contains(level) ? level : nil))
    }
  }

  @Test func detectedLevelIsTheBestAvailable() {
    #expect(PixelKernels().level == PixelKernels.InstructionSet.available.last)
    #expect(PixelKernels.InstructionSet.available.first == .c)
  }
}
