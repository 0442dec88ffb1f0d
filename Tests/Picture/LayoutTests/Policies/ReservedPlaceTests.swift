import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraLayout

/// A reserved place that no other tile takes.
@Suite("A participant who is always visible", .timed) struct ReservedPlaceTests {
  private static let canvas = Size(width: 1280, height: 720)

  private static func items(_ count: Int, screen: Bool = false) -> [LayoutItem] {
    var items = (0..<count).map { LayoutItem(id: $0, aspectRatio: 16.0 / 9) }
    items[count - 1].isKept = true
    if screen { items.append(LayoutItem(id: 100, kind: .screen, aspectRatio: 16.0 / 10)) }
    return items
  }

  @Test(
    "No tile of any layout covers the reserved place, which keeps its size",
    arguments: LayoutCatalog.names, [true, false])
  func place(layout: String, screen: Bool) throws {
    for edge in FilmstripLayout.Position.allCases {
      var frames: Set<Rect> = []
      for count in [2, 3, 7, 40] {
        var engine = try LayoutEngine(
          policy: try LayoutCatalog.policy(layout), canvas: Self.canvas, gap: 8,
          kept: ReservedPlace(edge: edge, share: 0.2))
        let tiles = engine.place(Self.items(count, screen: screen))
        let kept = try #require(tiles.first { $0.id == count - 1 }, "\(layout) \(count)")
        #expect(kept.fit == .contain && kept.alpha == 1)
        frames.insert(kept.frame)
        for tile in tiles where tile.id != kept.id {
          let isClear =
            tile.frame.maxX <= kept.frame.x + 1 || kept.frame.maxX <= tile.frame.x + 1
            || tile.frame.maxY <= kept.frame.y + 1 || kept.frame.maxY <= tile.frame.y + 1
          #expect(isClear || layout == "prominent", "\(layout) \(edge) \(count) \(tile.frame)")
          #expect(tile.zIndex < kept.zIndex)
        }
      }
      #expect(frames.count == 1, "\(layout) \(edge) \(frames)")
    }
  }

  @Test("While the person is absent, the others have the whole canvas")
  func away() throws {
    var engine = try LayoutEngine(
      policy: GridLayout(), canvas: Self.canvas, kept: ReservedPlace(edge: .right, share: 0.2))
    var items = Self.items(2)
    #expect(engine.place(items)[0].frame.maxX <= 1024)
    items.removeLast()
    #expect(engine.place(items)[0].frame == Self.canvas.bounds)
  }

  @Test("Beside the reserved place, the canvas follows the active speaker")
  func scrolls() throws {
    var engine = try LayoutEngine(
      policy: ProminentLayout(itemSize: Size(width: 200, height: 200)),
      canvas: Size(width: 500, height: 600), kept: ReservedPlace(edge: .right, share: 0.2))
    var items = Self.items(6)
    engine.place(items)
    items[3].isSpeaking = true
    let tiles = engine.place(items)
    #expect(tiles.first { $0.id == 3 }?.frame == Rect(x: 100, y: 200, width: 200, height: 200))
    #expect(tiles.last?.id == 5 && tiles.last?.frame.maxX == 500)
  }
}
