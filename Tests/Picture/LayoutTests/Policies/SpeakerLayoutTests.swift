import TesseraLayout
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct SpeakerLayoutTests {
  private func engine(_ canvas: Size, gap: Double = 0) throws -> LayoutEngine {
    try LayoutEngine(policy: try LayoutCatalog.policy("speaker"), canvas: canvas, gap: gap)
  }

  @Test func theStripIsOnTheSideWithTheLeastLoss() throws {
    let policy = try LayoutCatalog.policy("speaker")
    #expect(frames(policy, landscape, people(3))[0] == Rect(x: 0, y: 0, width: 1024, height: 720))
    #expect(frames(policy, portrait, people(3))[0] == Rect(x: 0, y: 0, width: 720, height: 896))
  }

  @Test func theStripIsCenteredUntilItIsFull() throws {
    let policy = try LayoutCatalog.policy("speaker:position=bottom")
    #expect(
      agree(
        frames(policy, landscape, people(3)),
        rects("(0,0,1280,576) (384,576,256,144) (640,576,256,144)"), within: 1e-9))
  }

  @Test(
    "A strip of pictures with one aspect ratio leaves at most a quarter empty, whatever others are in it",
    arguments: 3...10)
  func theStripIsFilled(count: Int) throws {
    for phone in [nil, 2] {
      var engine = try engine(landscape, gap: 6)
      var items = people(count)
      for index in items.indices { items[index].aspectRatio = index == phone ? 9.0 / 16 : 16.0 / 9 }
      let strip = engine.place(items).dropFirst().map(\.frame.size)
      let covered = strip.reduce(0) { $0 + $1.width * $1.height }
      #expect(covered >= (phone == nil || count < 7 ? 0.72 : 0.66) * 256 * 720)
    }
  }

  @Test func thePositionCanBeGiven() throws {
    let policy = try LayoutCatalog.policy("speaker:position=left,fraction=0.75")
    #expect(frames(policy, landscape, people(2))[0] == Rect(x: 320, y: 0, width: 960, height: 720))
  }

  @Test func theLastSpeakerStaysLarge() throws {
    var engine = try engine(landscape)
    var items = people(5)
    items[3].isSpeaking = true
    #expect(large(engine.place(items)) == 3)
    items[3].isSpeaking = false
    items[3].lastSpoke = .zero
    #expect(large(engine.place(items)) == 3)
  }

  @Test func withTwoPeopleOneIsInACornerOfTheOther() throws {
    var engine = try engine(landscape)
    var items = people(2)
    items[1].isSpeaking = true
    let tiles = engine.place(items)
    #expect(tiles.map(\.id) == [1, 0] && tiles[0].frame == landscape.bounds)
    #expect(tiles[1].frame.width < 320 && tiles[1].frame.maxX < 1280 && tiles[1].frame.maxY < 720)
    var upright = try self.engine(portrait)
    let stacked = upright.place(people(2)).map(\.frame)
    #expect(stacked == rects("(0,0,720,896) (0,896,720,384)"))
  }

  /// For any number of people: all are visible, or the last tile counts the others; no tile is cut
  /// off, hidden or too small.
  @Test(arguments: [landscape, portrait, Size(width: 1000, height: 1000)])
  func everyPersonIsVisibleOrCounted(canvas: Size) throws {
    for gap in [0.0, 4, 12] {
      for count in 1...60 {
        var engine = try engine(canvas, gap: gap)
        let tiles = engine.place(people(count))
        let counted = tiles.reduce(0) { $0 + max(1, $1.overflowCount) }
        #expect(counted == count, "\(canvas) \(count)")
        for tile in tiles.map(\.frame) {
          #expect(tile.x >= 0 && tile.y >= 0, "\(count)")
          #expect(tile.maxX <= canvas.width && tile.maxY <= canvas.height, "\(count)")
          #expect(min(tile.width, tile.height) >= 720 / 8 - 2 * gap - 2, "\(canvas) \(count)")
        }
      }
      var engine = try engine(canvas, gap: gap)
      #expect(engine.place(people(6)).allSatisfy { $0.overflowCount == 0 })
    }
  }

  @Test(
    "The new speaker swaps places with the large one, and nobody else moves",
    arguments: ["speaker", "auto"])
  func exchange(layout: String) throws {
    var engine = try LayoutEngine(policy: LayoutCatalog.policy(layout), canvas: landscape)
    func places(_ speaker: Int) -> [Rect: LayoutItem.ID] {
      var items = people(5)
      (items[speaker].isSpeaking, items[speaker].isFocused) = (true, layout == "auto")
      return Dictionary(
        uniqueKeysWithValues: engine.place(items).map { ($0.frame, $0.id) })
    }
    var (before, large) = (places(0), 0)
    for speaker in [3, 1, 4, 2, 1] {
      let now = places(speaker)
      #expect(Set(now.keys) == Set(before.keys))
      #expect(Set(now.filter { before[$0.key] != $0.value }.values) == [large, speaker])
      (before, large) = (now, speaker)
    }
  }

  private func large(_ attributes: [LayoutAttributes]) -> LayoutItem.ID? {
    attributes.first { $0.traits.contains(.large) }?.id
  }
}
