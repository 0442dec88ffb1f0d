import TesseraLayout
import TestSupport
import Testing

/// Portrait and square canvases: nearly square tiles, cropped to fill; screens above the people.
@Suite(.timed) struct UprightCanvasTests {
  static let layouts = [
    "grid", "best-fit", "speaker", "prominent", "horizontal-presentation",
    "vertical-presentation", "auto",
  ]
  static let canvases = [Size(width: 1080, height: 1920), Size(width: 1080, height: 1080)]

  private func attributes(
    _ layout: String, _ canvas: Size, _ items: [LayoutItem]
  ) throws -> [LayoutAttributes] {
    var engine = try LayoutEngine(policy: try LayoutCatalog.policy(layout), canvas: canvas)
    return engine.place(items)
  }

  private func wide(_ count: Int) -> [LayoutItem] {
    (0..<count).map { LayoutItem(id: $0, aspectRatio: 16.0 / 9) }
  }

  @Test(arguments: layouts, 1...9)
  func widePicturesFillTheirTiles(layout: String, count: Int) throws {
    for canvas in Self.canvases {
      for tile in try attributes(layout, canvas, wide(count)) where tile.overflowCount == 0 {
        #expect(tile.coverage == 1 || tile.frame.size.aspectRatio >= 16.0 / 9 - 1e-9)
        #expect(tile.frame.size.aspectRatio > 0.55)
        let isInside = tile.frame.x >= -1e-6 && tile.frame.maxX <= canvas.width + 1e-6
        #expect(isInside)
      }
    }
  }

  @Test(arguments: ["best-fit", "horizontal-presentation", "vertical-presentation", "auto"], 1...9)
  func aScreenIsAboveThePeopleAndAsWideAsTheCanvas(layout: String, count: Int) throws {
    for canvas in Self.canvases {
      let screen = LayoutItem(id: 100, kind: .screen, aspectRatio: 16.0 / 10)
      let tiles = try attributes(layout, canvas, wide(count) + [screen])
      let large = try #require(tiles.first { $0.id == 100 })
      #expect(large.frame.y < 0.1 * canvas.height && large.frame.width >= 0.99 * canvas.width)
      // Hardly higher than its picture, so that the people have the rest.
      #expect(large.frame.height <= max(large.frame.width / 1.6 * 1.2, 0.3 * canvas.height))
      #expect(tiles.allSatisfy { $0.id == 100 || $0.frame.y >= large.frame.maxY - 1e-6 })
    }
  }

  @Test func twoPeopleAreStacked() throws {
    for layout in ["grid", "best-fit", "auto"] {
      let tiles = try attributes(layout, Self.canvases[0], wide(2))
      #expect(tiles[0].frame.maxY <= tiles[1].frame.y && tiles[0].frame.x == tiles[1].frame.x)
    }
  }

  @Test(arguments: ["speaker", "horizontal-presentation", "vertical-presentation"])
  func aFullStripHasSeveralRowsOrCountsTheRest(layout: String) throws {
    var items = wide(9)
    items[0].isFocused = true
    let tiles = try attributes(layout, Self.canvases[0], items)
    let counted = tiles.reduce(0) { $0 + max(1, $1.overflowCount) }
    #expect(counted == 9)
    #expect(Set(tiles.filter { $0.id != 0 }.map(\.frame.y)).count == 2)
  }
}
