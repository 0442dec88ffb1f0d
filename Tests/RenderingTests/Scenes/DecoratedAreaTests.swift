import TesseraLayout
import TesseraPixels
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

@Suite(.timed) struct DecoratedAreaTests {
  private static func area(_ kind: Slot.Kind, coverage: Double) -> PixelRect {
    var attributes = LayoutAttributes(
      id: 0, frame: Rect(x: 100, y: 50, width: 800, height: 700))
    attributes.aspectRatio = 16.0 / 9
    attributes.coverage = coverage
    return attributes.decorated(Slot(id: 0, participant: nil, kind: kind))
  }

  @Test func drawingsLieOnASharedScreensPicture() {
    #expect(
      Self.area(.screen, coverage: 0) == PixelRect(x: 100, y: 175, width: 800, height: 450))
    #expect(
      Self.area(.screen, coverage: 1) == PixelRect(x: 100, y: 50, width: 800, height: 700))
  }

  @Test func drawingsLieOnTheWholeTileOfAPerson() {
    #expect(
      Self.area(.camera, coverage: 0) == PixelRect(x: 100, y: 50, width: 800, height: 700))
  }
}
