import TesseraCompositor
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct PixelRectSetTests {
  @Test(arguments: 0..<40)
  func aRegionMatchesASetOfSamples(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    var region = PixelRectSet()
    var samples = Set<Int>()
    for _ in 0..<12 {
      let rectangle = PixelRect(
        x: Int.random(in: 0..<12, using: &generator), y: Int.random(in: 0..<12, using: &generator),
        width: Int.random(in: 0...8, using: &generator),
        height: Int.random(in: 0...8, using: &generator))
      if Bool.random(using: &generator) {
        region.insert(rectangle)
        samples.formUnion(Self.samples(rectangle))
      } else {
        region.subtract(rectangle)
        samples.subtract(Self.samples(rectangle))
      }
      // Every sample occurs once: the rectangles do not overlap.
      let held = region.rectangles.flatMap(Self.samples)
      #expect(held.count == samples.count)
      #expect(Set(held) == samples)
      #expect(region.isEmpty == samples.isEmpty)
    }
  }

  @Test func wholeRectanglesStayWhole() {
    var damage = PixelRectSet()
    damage.insert(PixelRect(x: 0, y: 0, width: 10, height: 4))
    damage.insert(PixelRect(x: 0, y: 2, width: 6, height: 8))
    var part = PixelRectSet()
    part.formIntersection(PixelRect(x: 1, y: 1, width: 4, height: 6), with: damage)
    #expect(part.rectangles == [PixelRect(x: 1, y: 1, width: 4, height: 6)])
    part.formIntersection(PixelRect(x: 5, y: 3, width: 2, height: 2), with: damage)
    #expect(Set(part.rectangles.flatMap(Self.samples)) == [305, 306, 405])
  }

  /// Returns the rectangle's samples as numbers: 100 times the row plus the column.
  private static func samples(_ rectangle: PixelRect) -> [Int] {
    (0..<rectangle.height).flatMap { y in
      (0..<rectangle.width).map { 100 * (rectangle.y + y) + rectangle.x + $0 }
    }
  }
}
