import TesseraLayout
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct AutoLayoutTests {
  private static let screen = LayoutItem(id: 99, kind: .screen, aspectRatio: 16.0 / 10)

  private func place(
    _ items: [LayoutItem], _ canvas: Size = landscape, gap: Double = 0
  ) throws -> [LayoutAttributes] {
    var engine = try LayoutEngine(policy: AutoLayout(), canvas: canvas, gap: gap)
    return engine.place(items)
  }

  @Test(arguments: [landscape, portrait]) func withoutAScreenItIsBestFit(canvas: Size) throws {
    for count in 2...30 {
      var items = people(count)
      items[count / 2].isSpeaking = true
      var other = try LayoutEngine(policy: BestFitLayout(), canvas: canvas)
      #expect(try place(items, canvas) == other.place(items))
    }
  }

  @Test func aScreenIsLarge() throws {
    let tiles = try place(people(4) + [Self.screen])
    let large = try #require(tiles.first { $0.traits.contains(.large) })
    #expect(large.id == 99 && large.frame == Rect(x: 0, y: 0, width: 1088, height: 720))
    #expect(tiles.filter { $0.id != 99 }.allSatisfy { $0.frame.x >= 1088 && $0.coverage == 1 })
    // Equal to `speaker` with that fraction.
    var speaker = try LayoutEngine(
      policy: try LayoutCatalog.policy("speaker:fraction=0.85"), canvas: landscape)
    #expect(speaker.place(people(4) + [Self.screen]) == tiles)
  }

  @Test func aNarrowScreenLeavesRoomForPeople() throws {
    var screen = Self.screen
    screen.aspectRatio = 4.0 / 3
    let tiles = try place(people(4) + [screen])
    #expect(tiles.last?.frame == Rect(x: 0, y: 0, width: 960, height: 720))
    let upright = try place(people(4) + [Self.screen], portrait)
    #expect(upright.last?.frame == Rect(x: 0, y: 0, width: 720, height: 450))
    #expect(upright.filter { $0.id != 99 }.allSatisfy { $0.frame.y >= 450 })
    #expect(upright.filter { $0.id != 99 }.allSatisfy { $0.frame.width > 300 })
  }

  @Test("A strip beside a screen is filled from three people on", arguments: 3...6)
  func stripIsFilled(count: Int) throws {
    var screen = Self.screen
    screen.aspectRatio = 16.0 / 9
    let strip = try place(people(count) + [screen]).filter { $0.id != 99 }.map(\.frame)
    let columns = Dictionary(grouping: strip, by: \.x).values
    #expect(columns.allSatisfy { $0.reduce(0) { $0 + $1.height } >= 0.8 * 720 }, "\(strip)")
  }

  @Test func nobodySwapsPlacesBesideAScreen() throws {
    let silent = try place(people(5) + [Self.screen])
    for speaker in 0..<5 {
      var items = people(5)
      items[speaker].isSpeaking = true
      #expect(try place(items + [Self.screen]) == silent)
    }
  }

  @Test func theSpeakerIsNeverInTheOverflow() throws {
    for speaker in 0..<40 {
      var items = people(40)
      items[speaker].isSpeaking = true
      let tiles = try place([Self.screen] + items)
      #expect(tiles.contains { $0.id == speaker } && tiles.contains { $0.overflowCount > 0 })
      #expect(tiles.reduce(0) { $0 + max(1, $1.overflowCount) } == 41)
    }
  }

  @Test func theFocusedPersonOverridesAScreen() throws {
    var items = people(4) + [Self.screen]
    items[2].isFocused = true
    let tiles = try place(items)
    #expect(tiles.filter { $0.traits.contains(.large) }.map(\.id) == [2])
    #expect(tiles.contains { $0.id == 99 })
    #expect(
      try place(Array(items.dropLast())).filter { $0.traits.contains(.large) }.map(\.id) == [2])
  }

  @Test func theGridReturnsAfterwards() throws {
    let changes = [people(3), people(3) + [Self.screen], people(3)].enumerated().map {
      LayoutChange(time: MediaTime(seconds: 5 * $0), items: $1)
    }
    let timeline = try LayoutTimeline(
      changes, engine: LayoutEngine(policy: AutoLayout(), canvas: landscape))
    let (before, during, after) = (
      timeline.attributes(at: .zero), timeline.attributes(at: MediaTime(seconds: 7)),
      timeline.attributes(at: MediaTime(seconds: 12))
    )
    #expect(before == after && during.count == 4)
    #expect(during.contains { $0.id == 99 && $0.frame.width == 1088 })
  }
}
