import CTesseraPixelKernels
import TestSupport
import Testing

@testable import TesseraPixels

extension Kernels.Level {
  /// The levels of this processor that are compared with the reference.
  static var optimized: [Kernels.Level] { available.filter { $0 != .c } }
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

@Suite(.timed) struct KernelsTests {
  @Test(arguments: Kernels.Level.available)
  func theTableIsThatOfTheRequestedLevel(level: Kernels.Level) {
    let kernels = Kernels(level: level)
    #expect(kernels.level == level)
    #expect(kernels.table.level == level.code)
  }

  @Test(arguments: Kernels.Level.optimized)
  func scalingDoesNotFallBackToTheReference(level: Kernels.Level) {
    let (table, reference) = (Kernels(level: level).table, Kernels(level: .c).table)
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
    let available = Kernels.Level.available
    let best = [Kernels.Level.avx512, .avx512vnni].first(where: available.contains)
    #expect(Kernels.Level.avx512.substitute == best)
    for level in Kernels.Level.allCases where level != .avx512 {
      #expect(level.substitute == (available.contains(level) ? level : nil))
    }
  }

  @Test func detectedLevelIsTheBestAvailable() {
    #expect(Kernels().level == Kernels.Level.available.last)
    #expect(Kernels.Level.available.first == .c)
  }
}
