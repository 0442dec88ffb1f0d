import TesseraLayout
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct LayoutEngineTests {
  @Test func layoutsArePreparedOncePerChange() throws {
    var engine = try LayoutEngine(policy: GridLayout(), canvas: landscape)
    var items = people(4)
    for _ in 0..<100 { engine.place(items) }
    #expect(engine.prepareCount == 1)
    items[2].isSpeaking = true
    engine.place(items)
    #expect(engine.prepareCount == 1, "a grid ignores the active speaker")
    items[2].aspectRatio = 0.5
    engine.place(items)
    engine.place(items)
    #expect(engine.prepareCount == 2)
    try engine.setPolicy(MultipartyLayout())
    engine.place(items)
    #expect(engine.prepareCount == 3)
  }

  @Test(arguments: [(0.0, 720.0), (1280, -1), (.infinity, 720)])
  func aCanvasWithoutAreaIsRefused(width: Double, height: Double) {
    let message = message {
      _ = try LayoutEngine(policy: GridLayout(), canvas: Size(width: width, height: height))
    }
    #expect(
      message == "a canvas of \(width) by \(height) pixels has no area: give both sides above 0.")
  }

  @Test func framesAreAlignedToPixels() throws {
    var engine = try LayoutEngine(policy: GridLayout(), canvas: Size(width: 100, height: 50))
    #expect(engine.place(people(3, aspectRatio: 0.5)).map(\.frame.x) == [0, 33, 67])
  }

  @Test func theLastTileIsTheOverflowTile() throws {
    var engine = try LayoutEngine(policy: GridLayout(), canvas: landscape, maximumTiles: 9)
    let tiles = engine.place(people(9))
    #expect(tiles.allSatisfy { $0.overflowCount == 0 })
    let crowded = engine.place(people(12))
    #expect(crowded.count == 9)
    #expect(crowded.last?.id == LayoutItem.overflowID)
    #expect(crowded.last?.overflowCount == 4)
    #expect(engine.unplaced.count == 4)
    #expect(Array(crowded.dropLast()) == Array(tiles.dropLast()))
  }

  @Test("A seat of a large call changes at most every ten seconds, except for the active speaker")
  func seatsAreHeld() throws {
    var engine = try LayoutEngine(policy: GridLayout(), canvas: landscape, maximumTiles: 9)
    var items = people(20)
    for index in items.indices { items[index].isSeen = index < 8 }
    func seated(at second: Int) -> Set<Int> {
      Set(engine.place(items, at: MediaTime(seconds: second)).map(\.id)).subtracting([-1])
    }
    #expect(seated(at: 0) == Set(0..<8))
    (items[7].isSeen, items[10].isSeen) = (false, true)
    #expect(seated(at: 20) == Set(0..<7).union([10]), "the last change was long ago")
    (items[6].isSeen, items[11].isSeen) = (false, true)
    #expect(seated(at: 22) == Set(0..<7).union([10]), "held")
    items[15].isSpeaking = true
    #expect(seated(at: 24) == Set(0..<6).union([10, 15]), "the active speaker is visible at once")
    items[12].isSeen = true
    items[5].isSeen = false
    #expect(seated(at: 33) == Set(0..<6).union([10, 15]))
    #expect(seated(at: 34) == Set(0..<5).union([10, 11, 15]), "ten seconds after the last change")
    items.remove(at: 0)
    #expect(seated(at: 35) == Set(1..<5).union([10, 11, 12, 15]), "a free seat is taken at once")
  }

  @Test("A waiting person gets a seat when it is due, between two changes")
  func seatIsDue() throws {
    let engine = try LayoutEngine(policy: GridLayout(), canvas: landscape, maximumTiles: 9)
    var items = people(20)
    for index in items.indices { items[index].isSeen = index < 8 }
    var changes = [LayoutChange(time: .zero, items: items)]
    for (second, index) in [(20, 0), (22, 1), (24, 2)] {
      (items[index].isSeen, items[index + 10].isSeen) = (false, true)
      changes.append(LayoutChange(time: MediaTime(seconds: second), items: items))
    }
    changes.append(LayoutChange(time: MediaTime(seconds: 60), items: items))
    let timeline = try LayoutTimeline(changes, engine: engine)
    #expect(timeline.changeTimes == [0, 20, 30].map { MediaTime(seconds: $0) })
    let last = Set(timeline.attributes(at: MediaTime(seconds: 50)).map(\.id))
    #expect(last == [3, 4, 5, 6, 7, 10, 11, 12, -1])
  }

  @Test func anActiveSpeakerTakesOneSeatAndNobodyElseMoves() throws {
    var engine = try LayoutEngine(policy: GridLayout(), canvas: landscape, maximumTiles: 9)
    var items = people(20)
    for index in 0..<8 { items[index].lastSpoke = MediaTime(seconds: 100 - index) }
    let before = engine.place(items)
    items[15].isSpeaking = true
    let after = engine.place(items)
    #expect(after.first { $0.id == 15 }?.frame == before.first { $0.id == 7 }?.frame)
    #expect(Set(before).intersection(after).count == 8)
  }

  @Test func aFreeSeatIsTakenByTheLastPerson() throws {
    var engine = try LayoutEngine(policy: GridLayout(), canvas: landscape)
    engine.place(people(9))
    let tiles = engine.place(people(9).filter { $0.id != 2 })
    #expect(tiles.map(\.id) == [0, 1, 8, 3, 4, 5, 6, 7])
  }

  @Test func inJoinOrderTheOthersMoveUp() throws {
    var engine = try LayoutEngine(policy: MultipartyLayout(), canvas: landscape)
    engine.place(people(4))
    #expect(engine.place(people(4).filter { $0.id != 1 }).map(\.id) == [0, 2, 3])
  }

  @Test func aLatecomerGetsTheLastSeat() throws {
    var engine = try LayoutEngine(policy: MultipartyLayout(), canvas: landscape)
    engine.place(people(4).filter { $0.id != 0 })
    #expect(engine.place(people(4)).map(\.id) == [1, 2, 3, 0])
  }

  @Test(
    "With limited room, cameras precede cards, and the active speaker precedes both")
  func camerasFirst() throws {
    var engine = try LayoutEngine(
      policy: GridLayout(), canvas: Size(width: 1280, height: 720), maximumTiles: 4)
    var people = (0..<8).map { LayoutItem(id: $0) }
    for number in people.indices { people[number].isSeen = number >= 5 }
    let ids = { (attributes: [LayoutAttributes]) in
      Set(attributes.filter { $0.overflowCount == 0 }.map(\.id))
    }
    #expect(ids(engine.place(people)) == [5, 6, 7])
    people[1].isSpeaking = true
    people[1].lastSpoke = MediaTime(seconds: 1)
    // One seated person is replaced, and nobody else moves.
    let spoken = ids(engine.place(people))
    #expect(spoken.contains(1) && spoken.intersection([5, 6, 7]).count == 2)
    people[1].isSpeaking = false
    people[6].isSeen = false
    #expect(ids(engine.place(people)).isSuperset(of: [5, 7]))
  }

  @Test(
    "Up to three tiles have no overflow tile, and the active speaker has a tile", arguments: 1...3)
  func few(limit: Int) throws {
    var engine = try LayoutEngine(
      policy: GridLayout(), canvas: Size(width: 1280, height: 720), maximumTiles: limit)
    var people = (0..<6).map { LayoutItem(id: $0) }
    for speaker in [4, 0, 5] {
      for number in people.indices { people[number].isSpeaking = number == speaker }
      people[speaker].lastSpoke = MediaTime(seconds: 10 - speaker)
      let tiles = engine.place(people)
      #expect(tiles.count == limit && tiles.contains { $0.id == speaker })
      #expect(tiles.allSatisfy { $0.overflowCount == 0 })
    }
  }

  @Test(
    "A single tile fills the canvas without a gap if permitted",
    arguments: ["auto", "grid", "speaker", "cuts", "pip", "spotlight", "best-fit"])
  func oneTileFillsTheCanvas(policy: String) throws {
    for (count, fills) in [(1, true), (1, false), (2, true)] {
      var engine = try LayoutEngine(
        policy: LayoutCatalog.policy(policy), canvas: landscape, gap: 10)
      engine.fillsAlone = fills
      let largest = engine.place(people(count)).map(\.frame).max { $0.size.area < $1.size.area }
      let isCanvas = largest == landscape.bounds
      #expect(isCanvas == (fills && count == 1) || ["cuts", "pip", "spotlight"].contains(policy))
    }
    var engine = try LayoutEngine(policy: LayoutCatalog.policy("grid"), canvas: landscape, gap: 10)
    engine.fillsAlone = true
    #expect(engine.place(people(1)).map(\.frame) == [landscape.bounds])
    #expect(engine.place(people(2)).allSatisfy { $0.frame.x >= 10 })
    #expect(engine.place(people(1)).map(\.frame) == [landscape.bounds])
  }
}
