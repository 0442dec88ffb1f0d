import TesseraLayout
import TestSupport
import Testing

@Suite(.timed) struct PresentationLayoutTests {
  private func focused(_ count: Int) -> [LayoutItem] {
    var items = people(count)
    items[0].isFocused = true
    return items
  }

  @Test func horizontal() throws {
    let policy = try LayoutCatalog.policy("horizontal-presentation")
    #expect(
      frames(policy, landscape, focused(6))
        == rects(
          """
          (0,0,1280,576) (0,576,256,144) (256,576,256,144) (512,576,256,144) (768,576,256,144)
          (1024,576,256,144)
          """))
    #expect(
      frames(policy, Size(width: 640, height: 360), focused(2))
        == rects("(0,0,640,288) (256,288,128,72)"))
  }

  @Test func vertical() throws {
    let policy = try LayoutCatalog.policy("vertical-presentation")
    #expect(
      agree(
        frames(policy, landscape, focused(6)),
        rects(
          """
          (256,0,1024,720) (0,0,256,144) (0,144,256,144) (0,288,256,144) (0,432,256,144)
          (0,576,256,144)
          """), within: 1e-9))
  }

  @Test(arguments: ["horizontal-presentation", "vertical-presentation"])
  func theStripIsCenteredAndCropsNoFace(name: String) throws {
    var engine = try LayoutEngine(policy: try LayoutCatalog.policy(name), canvas: landscape)
    var items = focused(4)
    items[1].aspectRatio = 9.0 / 16
    let strip = engine.place(items).filter { $0.id > 0 }
    #expect(strip.first { $0.id == 1 }?.coverage == 0)
    #expect(strip.filter { $0.id > 1 }.allSatisfy { $0.coverage == 1 })
    let (x, y) = (strip.map(\.frame.x), strip.map(\.frame.y))
    let (maxX, maxY) = (strip.map(\.frame.maxX), strip.map(\.frame.maxY))
    if name.hasPrefix("h") {
      #expect(abs((x.min() ?? 0) + (maxX.max() ?? 0) - 1280) <= 1)
    } else {
      #expect(abs((y.min() ?? 0) + (maxY.max() ?? 0) - 720) <= 1)
    }
  }

  @Test func pictureInPicture() throws {
    let policy = try LayoutCatalog.policy("pip")
    #expect(
      agree(
        frames(policy, landscape, focused(3)), rects("(0,0,1280,720) (898.4,36,345.6,194.4)"),
        within: 1e-6))
    #expect(
      agree(
        frames(policy, Size(width: 640, height: 480), focused(2)),
        rects("(0,0,640,480) (443.2,24,172.8,129.6)"), within: 1e-6))
  }

  @Test func theLastTileOfAFullStripIsTheOverflowTile() throws {
    var engine = try LayoutEngine(
      policy: try LayoutCatalog.policy("horizontal-presentation"), canvas: landscape)
    var items = focused(14)
    #expect(engine.place(items).map(\.id) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1])
    #expect(engine.place(items).last?.overflowCount == 4)
    items[12].isSpeaking = true
    #expect(engine.place(items).map(\.id).contains(12))
    #expect(engine.attributes.count == 11)
  }
}
