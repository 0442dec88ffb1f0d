import CTesseraPixelKernels
import TestSupport
import Testing

@testable import TesseraPixels

@Suite(.timed) struct CubeKernelTests {
  private static let side = Int(TPK_CUBE_NODES)

  private static func table(_ level: PixelKernels.InstructionSet) -> tpk_table {
    PixelKernels(level: level).table
  }

  /// Returns random nodes, and two more for reads beyond the end by vectors.
  private static func nodes(_ generator: inout SplitMix64) -> [Int16] {
    (0..<side * side * side + 2).map { _ in Int16.random(in: 0...255 * 64, using: &generator) }
  }

  private static func numbers(_ count: Int, _ generator: inout SplitMix64) -> [UInt16] {
    (0..<count).map { _ in
      let isWild = UInt8.random(in: 0..<16, using: &generator) == 0
      return UInt16.random(in: 0...(isWild ? 65535 : 1023), using: &generator)
    }
  }

  /// Returns the luma and chroma results of one level.
  private static func results(_ level: PixelKernels.InstructionSet, seed: UInt64, width: Int)
    -> [[UInt8]]
  {
    var generator = SplitMix64(seed: seed)
    let nodes = nodes(&generator)
    let chroma = (width + 1) / 2
    let rows = [width, width, chroma, chroma, chroma, chroma].map { numbers($0, &generator) }
    var luma = [UInt8](repeating: 7, count: width + 1)
    var blue = [UInt8](repeating: 7, count: chroma + 1)
    let table = table(level)
    unsafe withPointers(rows) { rows in
      unsafe table.cube_luma(
        &luma, rows[0], [rows[2], rows[3]], [rows[4], rows[5]], nodes, chroma, width)
      unsafe table.cube_chroma(&blue, [rows[0], rows[1]], rows[2], rows[3], nodes, chroma)
    }
    return [luma, blue]
  }

  private static func withPointers(
    _ rows: [[UInt16]], _ body: ([UnsafePointer<UInt16>?]) -> Void
  ) {
    var pointers: [UnsafePointer<UInt16>?] = unsafe []
    func next(_ index: Int) {
      guard index < rows.count else { return unsafe body(pointers) }
      unsafe rows[index].withUnsafeBufferPointer {
        unsafe pointers.append($0.baseAddress)
        next(index + 1)
      }
    }
    next(0)
  }

  @Test(arguments: PixelKernels.InstructionSet.available)
  func everyLevelEqualsTheReference(level: PixelKernels.InstructionSet) {
    for (seed, width) in [1, 2, 3, 7, 8, 9, 15, 16, 63, 64, 65, 128, 129, 200].enumerated() {
      let expected = Self.results(.c, seed: UInt64(seed), width: width)
      #expect(Self.results(level, seed: UInt64(seed), width: width) == expected)
      #expect(expected[0].last == 7 && expected[1].last == 7)
    }
  }

  @Test func linearNodesAreInterpolatedExactly() {
    // Each node stores its luma in eight bits.
    let nodes = (0..<Self.side * Self.side * Self.side + 2).map { index in
      Int16(min(255, 4 * (index % Self.side)) * 64)
    }
    let luma = (0..<1024).map { UInt16($0) }
    let chroma = [UInt16](repeating: 333, count: 512)
    var result = [UInt8](repeating: 0, count: 1024)
    unsafe Self.withPointers([luma, chroma, chroma]) { rows in
      unsafe Self.table(.c).cube_luma(
        &result, rows[0], [rows[1], rows[2]], [rows[1], rows[2]], nodes, 512, 1024)
    }
    for value in 0..<1008 { #expect(Int(result[value]) == (value + 2) / 4) }
  }
}
