import TesseraLayout
import TesseraTimeline
import Testing

@Suite struct SpeakerLayoutTests {
  @Test func theStripLiesWhereItCostsLeast() throws {
    let policy = try LayoutCatalog.policy("speaker")
    #expect(frames(policy, landscape, people(2))[0] == Rect(x: 0, y: 0, width: 1024, height: 720))
    #expect(frames(policy, portrait, people(2))[0] == Rect(x: 0, y: 0, width: 720, height: 1024))
  }

  @Test func theStripIsCentredUntilItIsFull() throws {
    let policy = try LayoutCatalog.policy("speaker:position=bottom")
    #expect(
      agree(
        frames(policy, landscape, people(3)),
        rects("(0,0,1280,576) (384,576,256,144) (640,576,256,144)"), within: 1e-9))
  }

  @Test func thePositionCanBeGiven() throws {
    let policy = try LayoutCatalog.policy("speaker:position=left,fraction=0.75")
    #expect(frames(policy, landscape, people(2))[0] == Rect(x: 320, y: 0, width: 960, height: 720))
  }

  @Test func followsTheSpeakerAndKeepsTheLast() throws {
    var engine = try LayoutEngine(policy: try LayoutCatalog.policy("speaker"), canvas: landscape)
    var items = people(5)
    items[3].isSpeaking = true
    #expect(large(engine.place(items)) == 3)
    items[3].isSpeaking = false
    items[3].lastSpoke = .zero
    #expect(large(engine.place(items)) == 3)
  }

  @Test(arguments: [2, 6, 7, 8, 9, 17, 40]) func tilesAreWholeHoweverManyThereAre(count: Int) throws
  {
    var engine = try LayoutEngine(policy: try LayoutCatalog.policy("speaker"), canvas: landscape)
    let tiles = engine.place(people(count)).map(\.frame)
    #expect(tiles.allSatisfy { $0.y >= 0 && $0.maxY <= 720 })
    #expect(tiles.count == min(count, 6))
  }

  private func large(_ attributes: [LayoutAttributes]) -> LayoutItem.ID? {
    attributes.first { $0.traits.contains(.large) }?.id
  }
}
