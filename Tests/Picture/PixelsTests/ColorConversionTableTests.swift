import TestSupport
import Testing

@testable import TesseraPixels

@Suite(.timed) struct ColorConversionTableTests {
  private static let wide = ColorSpace(matrix: .bt2020, range: .limited)

  /// Returns the mapping of one color: luma, blue-difference, red-difference.
  private static func mapped(
    _ luma: Int, _ blue: Int, _ red: Int, _ color: ColorSpace, _ light: Colorimetry
  ) -> [Int] {
    let size = PixelSize(width: 6, height: 4)
    let planes = [(luma, 24), (blue, 6), (red, 6)].map { value, count in
      [UInt16](repeating: UInt16(value), count: count)
    }
    let result = Image(.yuv420p8, size: size)
    let table = ColorConversionTable(color: color, light: light)
    unsafe planes[0].withUnsafeBufferPointer { y in
      unsafe planes[1].withUnsafeBufferPointer { b in
        unsafe planes[2].withUnsafeBufferPointer { r in
          guard let y = y.baseAddress, let b = b.baseAddress, let r = r.baseAddress else { return }
          let picture = unsafe TenBitPicture(size: size, planes: [y, b, r], strides: [12, 6, 6])
          PixelKernels(level: .c).map(
            picture, by: table, luma: result[plane: 0], blue: result[plane: 1],
            red: result[plane: 2])
        }
      }
    }
    return (0..<3).map { Int(result[plane: $0][1, 1]) }
  }

  @Test func theCanvasColorsAreUnchanged() {
    var generator = SplitMix64(seed: 17)
    for _ in 0..<40 {
      let rgb = (0..<3).map { _ in UInt8.random(in: 30...225, using: &generator) }
      let sample = Color(red: rgb[0], green: rgb[1], blue: rgb[2]).canvasSample
      let result = Self.mapped(
        4 * Int(sample.luma), 4 * Int(sample.blue), 4 * Int(sample.red), .canvas, .canvas)
      #expect(abs(result[0] - Int(sample.luma)) <= 1)
      #expect(abs(result[1] - Int(sample.blue)) <= 1)
      #expect(abs(result[2] - Int(sample.red)) <= 1)
    }
  }

  @Test(arguments: Colorimetry.Transfer.allCases, Colorimetry.Primaries.allCases)
  func grayStaysGrayAndMonotonic(transfer: Colorimetry.Transfer, primaries: Colorimetry.Primaries) {
    var last = 0
    for luma in stride(from: 64, through: 940, by: 73) {
      let result = Self.mapped(
        luma, 512, 512, Self.wide, Colorimetry(transfer: transfer, primaries: primaries))
      #expect(abs(result[1] - 128) <= 1 && abs(result[2] - 128) <= 1)
      #expect(result[0] >= last)
      last = result[0]
    }
    #expect((last - 235).magnitude <= 3)
  }

  /// BT.2408: 203 cd/m² are 58 % of PQ's range and 75 % of HLG's.
  @Test(arguments: [(Colorimetry.Transfer.pq, 0.58), (.hlg, 0.75)])
  func diffuseWhiteIsNearlyWhite(transfer: Colorimetry.Transfer, share: Double) {
    let luma = 64 + Int(876 * share)
    let result = Self.mapped(
      luma, 512, 512, Self.wide, Colorimetry(transfer: transfer, primaries: .bt2020))
    #expect((219...231).contains(result[0]))
  }

  /// Highlights stay distinct, approximately by the EETF of BT.2390 for a master of 1000 cd/m²: 394
  /// cd/m² are 0.651 of PQ's range and become 0.98 of white.
  @Test func highlightsAreDistinguished() {
    let light = Colorimetry(transfer: .pq, primaries: .bt2020)
    func luma(_ share: Double, _ light: Colorimetry) -> Int {
      Self.mapped(64 + Int((876 * share).rounded()), 512, 512, Self.wide, light)[0]
    }
    #expect((229...231).contains(luma(0.651, light)))
    #expect(luma(0.7518, light) >= 233)
    // A brighter master has more headroom: 1000 and 2000 cd/m² are not both white.
    let brighter = Colorimetry(transfer: .pq, primaries: .bt2020, peak: 4000)
    #expect(luma(0.7518, brighter) <= 233)
    #expect(luma(0.7518, brighter) < luma(0.827, brighter))
    #expect(luma(0.902, brighter) >= 233)
  }

  @Test func halfOfDiffuseWhiteMatchesADisplay() {
    // 101.5 cd/m² are 0.509 of PQ's range, and 0.5 to the power of 1/2.4.
    let light = Colorimetry(transfer: .pq, primaries: .bt2020)
    let result = Self.mapped(64 + Int(876 * 0.509), 512, 512, Self.wide, light)
    #expect(abs(result[0] - (16 + 164)) <= 2)
  }
}
