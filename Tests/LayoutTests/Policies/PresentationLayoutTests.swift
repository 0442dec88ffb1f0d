import TesseraLayout
import Testing

@Suite struct PresentationLayoutTests {
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
      frames(policy, Size(width: 640, height: 480), focused(2))
        == rects("(0,0,640,384) (0,384,128,96)"))
  }

  @Test func vertical() throws {
    let policy = try LayoutCatalog.policy("vertical-presentation")
    #expect(
      agree(
        frames(policy, landscape, focused(4)),
        rects("(256,0,1024,720) (0,0,256,144) (0,144,256,144) (0,288,256,144)"), within: 1e-9))
  }

  @Test func pictureInPicture() throws {
    let policy = try LayoutCatalog.policy("pip")
    #expect(
      frames(policy, landscape, focused(3)) == rects("(0,0,1280,720) (1024,36,192,108)"))
    #expect(
      frames(policy, Size(width: 640, height: 480), focused(2))
        == rects("(0,0,640,480) (512,24,96,72)"))
  }

  @Test func theRestOfTheStripScrolls() throws {
    var engine = try LayoutEngine(
      policy: try LayoutCatalog.policy("horizontal-presentation"), canvas: landscape)
    var items = focused(9)
    #expect(engine.place(items).map(\.id) == [0, 1, 2, 3, 4, 5])
    items[7].isSpeaking = true
    #expect(engine.place(items).map(\.id) == [0, 3, 4, 5, 6, 7])
    items[7].isSpeaking = false
    items[4].isSpeaking = true
    #expect(engine.place(items).map(\.id) == [0, 3, 4, 5, 6, 7])
    #expect(engine.prepareCount == 1)
  }
}
