import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraLayout

/// Layouts whose content is larger than the canvas: the followed person, the counted people, and
/// the motion.
@Suite(.timed) struct ScrollingTests {
  /// A custom layout with tiles of 200 by 200, one below another.
  private struct Column: LayoutPolicy {
    func prepare(_ context: LayoutContext) -> LayoutArrangement {
      LayoutArrangement(
        contentSize: Size(width: 360, height: 200 * Double(context.items.count)),
        attributes: context.items.enumerated().map { index, item in
          LayoutAttributes(
            id: item.id, frame: Rect(x: 80, y: 200 * Double(index), width: 200, height: 200))
        })
    }
  }

  private static func time(_ milliseconds: Int64) -> MediaTime {
    MediaTime(nanoseconds: milliseconds * 1_000_000)
  }

  private static func items(_ count: Int, speaker: Int?) -> [LayoutItem] {
    people(count).map { item in
      var item = item
      item.isSpeaking = item.id == speaker
      if item.isSpeaking { item.lastSpoke = .zero }
      return item
    }
  }

  /// Returns the timeline of a call in which the speaker changes to the next of `speakers` every
  /// second.
  private static func timeline(
    _ policy: any LayoutPolicy, _ canvas: Size, count: Int, speakers: [Int?], every: Int64 = 1000,
    rate: Int = 20
  ) throws -> LayoutTimeline {
    try LayoutTimeline(
      speakers.enumerated().map {
        LayoutChange(time: time(every * Int64($0)), items: items(count, speaker: $1))
      }, engine: try LayoutEngine(policy: policy, canvas: canvas),
      frameRate: try #require(FrameRate(rate)))
  }

  // MARK: The followed person

  @Test(arguments: ["flow:width=200,height=200", "mosaic:band=200", "one's own"])
  func everyLayoutFollowsTheSpeaker(name: String) throws {
    let policy = name == "one's own" ? Column() : try LayoutCatalog.policy(name)
    var engine = try LayoutEngine(policy: policy, canvas: Size(width: 360, height: 300))
    for change in [\LayoutItem.isSpeaking, \LayoutItem.isFocused] {
      for id in [7, 2, 5, 0] {
        var items = people(8)
        items[id][keyPath: change] = true
        let tile = try #require(engine.place(items).first { $0.id == id }, "\(id)")
        #expect(engine.isScrolled && tile.frame.y >= 0 && tile.frame.maxY <= 300)
      }
    }
    var items = people(8)
    items[6].kind = .screen
    #expect(engine.place(items).contains { $0.id == 6 && $0.frame.maxY <= 300 })
  }

  // MARK: The overflow tile

  @Test func theLastCompleteCellCountsPeopleOutOfView() throws {
    let policy = try LayoutCatalog.policy("flow:width=110,height=110")
    let canvas = Size(width: 375, height: 400)
    var engine = try LayoutEngine(policy: policy, canvas: canvas)
    let plain = frames(policy, canvas, people(30)).prefix(12)
    let tiles = engine.place(people(30))
    // Three rows of three are complete; of a fourth row, 40 lines are visible.
    #expect(tiles.map(\.id) == [0, 1, 2, 3, 4, 5, 6, 7, -1, 9, 10, 11])
    #expect(tiles.map(\.frame) == plain.map { $0.rounded() })
    #expect(tiles[8].overflowCount == 19 && engine.unplaced == [8] + Array(12..<30))
    // The overflow tile does not take the place of the followed person.
    var items = people(30)
    items[8].isSpeaking = true
    let others = engine.place(items)
    #expect(others.map(\.id) == [0, 1, 2, 3, 4, 5, 6, -1, 8, 9, 10, 11])
    #expect(others[7].overflowCount == 19)
    // Everyone fits, so nobody is counted.
    #expect(engine.place(people(9)).map(\.id) == Array(0..<9) && engine.unplaced.isEmpty)
  }

  @Test(arguments: [("flow:width=200,height=200", 300.0), ("flow:width=200,height=400", 300)])
  func withoutAnotherCompleteCellNobodyIsCounted(name: String, height: Double) throws {
    var engine = try LayoutEngine(
      policy: try LayoutCatalog.policy(name), canvas: Size(width: 360, height: height))
    #expect(engine.place(people(4)).allSatisfy { $0.overflowCount == 0 })
    #expect(!engine.unplaced.isEmpty)
  }

  @Test func peopleOverTheLimitAreCountedInOneTile() throws {
    var engine = try LayoutEngine(
      policy: try LayoutCatalog.policy("flow:width=110,height=110"),
      canvas: Size(width: 375, height: 400), maximumTiles: 12)
    let counted = engine.place(people(30)).filter { $0.overflowCount > 0 }
    #expect(counted.map(\.overflowCount) == [20] && counted[0].frame.maxY == 350)
  }

  // MARK: Visible tiles

  /// In a carousel of 200 by 200 on 375 by 400, the neighbors' frames reach 100 rows onto the
  /// canvas; 50 of them are drawn.
  @Test(arguments: [
    ("", 400.0, [0, 1, 2]), (",scale=0.1", 400, [0, 1, 2]), (",scale=0", 400, [1]),
    (",alpha=0", 400, [1]), ("", 290, [1]), ("", 304, [0, 1, 2]),
  ])
  func aTileNeedsAVisiblePixel(options: String, height: Double, seen: [Int]) throws {
    let policy = try LayoutCatalog.policy("prominent:width=200,height=200,spacing=0" + options)
    var engine = try LayoutEngine(policy: policy, canvas: Size(width: 375, height: height))
    let tiles = engine.place(Self.items(3, speaker: 1))
    #expect(tiles.map(\.id).sorted() == seen)
    #expect(engine.offCanvasItems.isEmpty)
    let canvas = Rect(x: 0, y: 0, width: 375, height: height)
    #expect(tiles.allSatisfy { $0.isVisible && $0.displayFrame.intersects(canvas) })
  }

  // MARK: Motion

  /// The positions of the seed, which queries the layout at every step of the motion.
  @Test func scrollingPastAPersonQueriesEveryStep() throws {
    let timeline = try Self.timeline(
      ProminentLayout(itemSize: Size(width: 200, height: 200), spacing: 0),
      Size(width: 400, height: 800), count: 5, speakers: [1, 3])
    func tiles(_ milliseconds: Int64) -> [[Double]] {
      timeline.attributes(at: Self.time(1000 + milliseconds)).filter { (1...3).contains($0.id) }
        .sorted { $0.id < $1.id }.map {
          [$0.displayFrame.y, $0.displayFrame.height, $0.alpha].map { ($0 * 100).rounded() / 100 }
        }
    }
    #expect(tiles(250) == [[150, 100, 0.5], [300, 200, 1], [550, 100, 0.5]])
    let seed: [Int64: [[Double]]] = [
      100: [[276, 184, 0.92], [509, 116, 0.58], [717, 100, 0.5]],
      400: [[-17, 100, 0.5], [174, 116, 0.58], [341, 184, 0.92]],
    ]
    for (milliseconds, expected) in seed {
      for (tile, other) in zip(tiles(milliseconds), expected) {
        #expect(
          zip(tile, other).allSatisfy { abs($0 - $1) <= (abs($1) > 1 ? 1 : 0.005) }, "\(tile)")
      }
    }
    for milliseconds in stride(from: Int64(0), through: 600, by: 50) {
      let center = timeline.attributes(at: Self.time(1000 + milliseconds))
        .filter { $0.traits.contains(.center) }
      #expect(center.count == 1 && center[0].alpha >= 0.75)
    }
  }

  @Test func anInterruptedMotionContinuesFromItsPosition() throws {
    let policy = ProminentLayout(itemSize: Size(width: 200, height: 200), spacing: 0)
    let timeline = try Self.timeline(
      policy, Size(width: 400, height: 800), count: 6, speakers: [1, 3, 5], every: 250)
    func middle(_ id: Int, _ milliseconds: Int64) -> Double? {
      timeline.attributes(at: Self.time(milliseconds)).first { $0.id == id }?.frame.midY
    }
    // At 0.5 s the third tile is centered, and the motion to the sixth starts there.
    #expect(middle(2, 450) != middle(2, 500) && middle(2, 500) == 400)
    #expect(middle(3, 500) == 600 && middle(5, 1000) == 400)
    for milliseconds in stride(from: Int64(250), through: 1000, by: 50) {
      let tiles = timeline.attributes(at: Self.time(milliseconds))
      let offsets = Set(tiles.map { $0.frame.midY - 200 * Double($0.id) })
      #expect(offsets.count == 1 && tiles.count { $0.traits.contains(.center) } == 1)
    }
  }

  /// A person who comes, or leaves elsewhere, does not move the followed person.
  @Test func comingAndGoingDoNotScroll() throws {
    let engine = try LayoutEngine(
      policy: ProminentLayout(itemSize: Size(width: 200, height: 200), spacing: 0),
      canvas: Size(width: 400, height: 800))
    var fewer = Self.items(6, speaker: 2)
    fewer.remove(at: 0)
    let timeline = try LayoutTimeline(
      [
        LayoutChange(time: .zero, items: Self.items(5, speaker: 2)),
        LayoutChange(time: Self.time(1000), items: Self.items(6, speaker: 2)),
        LayoutChange(time: Self.time(2000), items: fewer),
      ], engine: engine)
    for milliseconds in stride(from: Int64(0), through: 3000, by: 20) {
      let tile = timeline.attributes(at: Self.time(milliseconds)).first { $0.id == 2 }
      #expect(tile?.frame.midY == 400 && tile?.alpha == 1 && tile?.scale == 1)
    }
  }

  /// People come, go and speak at random: one tile is prominent in every frame, and nothing jumps.
  @Test(arguments: 0..<8) func oneTileIsAlwaysProminent(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var ids = Array(0..<5)
    var changes: [LayoutChange] = []
    for step in 0..<20 {
      if Bool.random(using: &random) { ids.append(10 + step) }
      if ids.count > 3, Bool.random(using: &random) {
        ids.remove(at: Int.random(in: ids.indices, using: &random))
      }
      let speaker = ids[Int.random(in: ids.indices, using: &random)]
      let items = ids.map { id in
        LayoutItem(id: id, aspectRatio: 1, isSpeaking: id == speaker)
      }
      let time = Self.time(Int64(step * 400 + Int.random(in: 0..<300, using: &random)))
      changes.append(LayoutChange(time: time, items: items))
    }
    let rate = try #require(FrameRate(60))
    let timeline = try LayoutTimeline(
      changes,
      engine: try LayoutEngine(
        policy: ProminentLayout(itemSize: Size(width: 200, height: 200), spacing: 0),
        canvas: Size(width: 400, height: 800)), frameRate: rate)
    var last: [Int: LayoutAttributes] = [:]
    for frame in 0..<500 {
      let tiles = timeline.attributes(at: rate.time(ofFrame: frame))
      #expect(Set(tiles.map(\.id)).count == tiles.count)
      for tile in tiles {
        guard let before = last[tile.id] else { continue }
        // At most nine places in half a second, twice as fast as a straight line.
        #expect(abs(tile.frame.midY - before.frame.midY) <= 1800.0 / 30 * 2 + 1, "\(seed) \(frame)")
      }
      last = Dictionary(uniqueKeysWithValues: tiles.map { ($0.id, $0) })
    }
    let frames = timeline.attributes(in: 100..<400, at: rate)
    for frame in 100..<400 {
      #expect(frames[frame - 100] == timeline.attributes(at: rate.time(ofFrame: frame)))
    }
    #expect(try Copy.of(timeline) == timeline)
  }

  /// Passed tiles are visible exactly as long as they are on the canvas.
  @Test func passedTilesAreVisibleForAMoment() throws {
    let timeline = try Self.timeline(
      ProminentLayout(itemSize: Size(width: 200, height: 200), spacing: 0),
      Size(width: 400, height: 400), count: 12, speakers: [0, 11])
    let times = timeline.visibilities(of: 6, before: Self.time(3000))
    #expect(times == [TimeRange(start: Self.time(1250), end: Self.time(1300))])
    #expect(!timeline.isOutOfSight(6) && timeline.states(6).count == 1)
    #expect(timeline.resting(6).isEmpty)
  }

  // MARK: Items wider than the canvas

  @Test(arguments: [
    ("flow:width=500", "(0,0,375,210.9375)"), ("flow:width=500,height=100", "(0,0,375,75)"),
    ("flow:across=500", "(0,0,375,210.9375)"), ("flow:across=500,inset=10", "(10,10,355,199.6875)"),
    ("prominent:width=500,height=200", "(0,0,375,150)"),
    ("flow:width=300,height=90", "(37.5,0,300,90)"),
  ])
  func nothingIsWiderThanTheCanvas(name: String, frame: String) throws {
    let policy = try LayoutCatalog.policy(name)
    let actual = frames(policy, Size(width: 375, height: 667), people(1))
    #expect(agree(actual, rects(frame), within: 1e-9), "\(actual)")
  }
}
