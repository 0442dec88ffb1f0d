import TesseraCompositor
import TesseraLayout
import TesseraPixels
import Testing

@Suite struct CountLetteringTests {
  /// The lettering on a tile of that size.
  private static func overlay(_ count: Int, _ width: Int, _ height: Int) -> TileDraw.Overlay {
    TileDraw.Overlay(
      count: count, in: Rect(x: 3, y: 5, width: Double(width), height: Double(height)),
      color: .white)
  }

  /// The columns and rows of the tile with ink.
  private static func ink(_ overlay: TileDraw.Overlay) -> (columns: [Int], rows: [Int]) {
    let (plane, size) = (overlay.mask.luma, overlay.mask.size)
    let columns = (0..<size.width).filter { x in (0..<size.height).contains { plane[x, $0] > 0 } }
    let rows = (0..<size.height).filter { y in (0..<size.width).contains { plane[$0, y] > 0 } }
    return (columns.map { $0 + overlay.x }, rows.map { $0 + overlay.y })
  }

  @Test(arguments: [(7, 320, 180), (12, 321, 181), (100, 90, 400), (5, 17, 9)])
  func standsInTheMiddle(count: Int, width: Int, height: Int) throws {
    let (columns, rows) = Self.ink(Self.overlay(count, width, height))
    let (left, right) = (try #require(columns.first), try #require(columns.last))
    let (top, bottom) = (try #require(rows.first), try #require(rows.last))
    #expect(left < width / 2 && right > width / 2)
    // The strokes of a digit need not touch its box on both sides.
    #expect(abs(left + right + 1 - width) <= max(2, width / 12))
    #expect(abs(top + bottom + 1 - height) <= 2)
  }

  @Test func twiceTheTileIsTwiceTheLettering() throws {
    let (one, two) = (Self.ink(Self.overlay(7, 320, 180)), Self.ink(Self.overlay(7, 640, 360)))
    #expect(abs(two.columns.count - 2 * one.columns.count) <= 2)
    #expect(abs(two.rows.count - 2 * one.rows.count) <= 2)
  }

  @Test func everyDigitDiffersFromTheOthers() {
    let drawn = (0...9).map { count in
      let mask = Self.overlay(count, 160, 90).mask
      return (0..<mask.size.height).flatMap { y in
        (0..<mask.size.width).map { mask.luma[$0, y] }
      }
    }
    #expect(Set(drawn).count == 10)
    #expect(drawn.allSatisfy { $0.contains(255) && $0.contains(0) })
  }

  @Test(arguments: [(1, 1), (2, 3), (7, 200), (200, 7), (64, 36)])
  func staysInTheTile(width: Int, height: Int) {
    for count in [1, 9, 48, 999] {
      let overlay = Self.overlay(count, width, height)
      #expect(overlay.x >= 0 && overlay.x + overlay.mask.size.width <= width)
      #expect(overlay.y >= 0 && overlay.y + overlay.mask.size.height <= height)
    }
  }

  @Test func aTileOfNothingHasNoLettering() {
    let overlay = TileDraw.Overlay(
      count: 3, in: Rect(x: 0, y: 0, width: 0, height: 0), color: .white)
    #expect(overlay.mask.luma[0, 0] == 0)
  }
}
