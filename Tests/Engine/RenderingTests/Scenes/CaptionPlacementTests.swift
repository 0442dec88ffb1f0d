import TesseraLayout
import TesseraPixels
import TestSupport
import Testing

@testable import TesseraCompositor
@testable import TesseraPlan
@testable import TesseraPlanning

/// Captions on grids of 1 to 9 people, each with a name plate and an undetected face.
@Suite(.timed) struct CaptionPlacementTests {
  static let canvases = [
    PixelSize(width: 1280, height: 720), PixelSize(width: 720, height: 1280),
    PixelSize(width: 1080, height: 1080), PixelSize(width: 1080, height: 1350),
    PixelSize(width: 1920, height: 804),
  ]

  private static func space(_ count: Int, _ canvas: PixelSize) throws -> CaptionPlacement {
    let people = (0..<count).map { LayoutItem(id: $0, aspectRatio: 16.0 / 9) }
    let size = Size(width: Double(canvas.width), height: Double(canvas.height))
    var engine = try LayoutEngine(policy: LayoutCatalog.policy("grid"), canvas: size, gap: 8)
    engine.fillsAlone = true
    var space = CaptionPlacement(canvas)
    for tile in engine.place(people).map({ PixelRect(rounding: $0.displayFrame) }) {
      space.tiles.insert(tile)
      space.faces.insert(CaptionPlacement.assumedFace(in: tile))
      let height = max(20, min(44, tile.height / 10))
      space.plates.insert(
        PixelRect(x: tile.x + 10, y: tile.maxY - height - 10, width: tile.width / 3, height: height)
      )
    }
    return space
  }

  /// Returns the percentage of eyes and mouths that a caption of two lines covers, over the faces
  /// that it touches.
  private static func covered(
    _ space: CaptionPlacement, _ share: Int, _ width: Int, usual: Int?
  ) -> Int {
    let height = min(space.canvas.width, space.canvas.height) * share / 100
    let rows = space.rows(under: height, width: width, usual: usual)
    let caption = PixelRect(
      x: space.canvas.width / 2 + space.shift - width / 2,
      y: space.canvas.height - rows - height, width: width, height: height)
    #expect(space.plates.allSatisfy { $0.intersection(caption).isEmpty })
    #expect(caption.y >= 0 && caption.maxY <= space.canvas.height * 96 / 100)
    let parts = space.faces.map { 100 * $0.intersection(caption).size.area / max(1, $0.size.area) }
    return parts.max() ?? 0
  }

  @Test("Captions leave faces free", arguments: canvases, 1...9)
  func faces(canvas: PixelSize, count: Int) throws {
    let space = try Self.space(count, canvas)
    let boxed = Self.covered(space, 13, space.room, usual: nil)
    let words = Self.covered(
      space, 19, canvas.width * 7 / 10, usual: canvas.isForPhones ? canvas.height / 5 : nil)
    // In a grid of three or four rows, two lines take most of a tile.
    #expect(boxed <= (count < 7 ? 40 : 75), "\(boxed)")
    if count < 7 { #expect(words <= (count < 5 ? 35 : 85), "\(words)") }
  }
}
