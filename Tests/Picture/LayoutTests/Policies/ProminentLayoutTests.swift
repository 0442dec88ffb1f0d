import TestSupport
import Testing

@testable import TesseraLayout

@Suite(.timed) struct ProminentLayoutTests {
  let seed = ProminentLayout(itemSize: Size(width: 200, height: 200), spacing: 0)
  let view = Size(width: 375, height: 400)

  @Test func aSinglePersonHasTheCanvas() {
    #expect(frames(ProminentLayout(), landscape, people(1)) == [landscape.bounds])
    #expect(frames(ProminentLayout(), portrait, people(1)) == [portrait.bounds])
  }

  /// The center tile and both neighbors are complete and span the longer side.
  @Test(arguments: [landscape, portrait, Size(width: 1080, height: 1080)])
  func theNeighborsAreComplete(canvas: Size) throws {
    var engine = try LayoutEngine(policy: ProminentLayout(), canvas: canvas)
    var items = people(5)
    items[2].isSpeaking = true
    let tiles = engine.place(items).map(\.displayFrame)
    #expect(tiles.count == 3)
    for tile in tiles {
      #expect(tile.x >= -1 && tile.maxX <= canvas.width + 1)
      #expect(tile.y >= -1 && tile.maxY <= canvas.height + 1)
    }
    let axis = canvas.width > canvas.height ? \Size.width : \.height
    let lengths = tiles.map { $0.size[keyPath: axis] }.reduce(0, +) + 20
    #expect(abs(lengths - canvas[keyPath: axis]) <= 3)
    #expect(tiles.reduce(0) { $0 + $1.size.area } > 0.53 * canvas.area)
  }

  @Test func scaleAndAlphaFallWithTheDistance() {
    let arrangement = seed.prepare(LayoutContext(canvas: view, items: people(6)))
    #expect(arrangement.attributes[0].frame == Rect(x: 87.5, y: 0, width: 200, height: 200))
    let seen = seed.attributes(
      in: Rect(x: 0, y: 400, width: 375, height: 400), of: arrangement)
    #expect(seen.map(\.id) == [2, 3])
    #expect(seen.map(\.alpha) == [0.75, 0.75])
    #expect(seen.map(\.scale) == [0.75, 0.75])
  }

  @Test func distantTilesHaveStandardAttributes() {
    let arrangement = seed.prepare(LayoutContext(canvas: view, items: people(6)))
    let seen = seed.attributes(
      in: Rect(x: 0, y: 300, width: 375, height: 400), of: arrangement)
    #expect(seen.map(\.scale) == [0.5, 1, 0.5])
    #expect(seen.map(\.alpha) == [0.5, 1, 0.5])
    #expect(seen.map { $0.traits.contains(.center) } == [false, true, false])
    #expect(seen.map(\.zIndex) == [5, 10, 5])
  }

  @Test func offsetsSnapToTheNearestCenter() {
    let view = Size(width: 375, height: 667)
    let context = LayoutContext(canvas: view, items: people(6))
    let arrangement = seed.prepare(context)
    // The proposed center is 11.5 + 333.5 = 345; the nearest is the second item's center, 300.
    let target = seed.targetContentOffset(
      forProposed: Point(x: 0, y: 11.5), of: arrangement, in: context)
    #expect(target == Point(x: 0, y: 300 - 333.5))
  }

  @Test(arguments: LayoutAxis.allCases) func theSpeakerIsCentered(axis: LayoutAxis) throws {
    var engine = try LayoutEngine(policy: ProminentLayout(axis: axis), canvas: landscape)
    var items = people(9)
    engine.place(items)
    items[6].isSpeaking = true
    let center = try #require(engine.place(items).last)
    #expect(center.id == 6)
    #expect(center.traits.contains(.center))
    #expect(abs(center.frame.midX - 640) <= 0.5 && abs(center.frame.midY - 360) <= 0.5)
    #expect(engine.prepareCount == 1)
  }
}
