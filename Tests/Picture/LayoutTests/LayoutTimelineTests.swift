import TesseraLayout
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct LayoutTimelineTests {
  private func timeline(
    _ changes: [LayoutChange], transition: LayoutTransition = .standard, policy: String = "grid"
  ) throws -> LayoutTimeline {
    try LayoutTimeline(
      changes,
      engine: try LayoutEngine(policy: try LayoutCatalog.policy(policy), canvas: landscape),
      transition: transition)
  }

  private func milliseconds(_ count: Int64) -> MediaTime {
    MediaTime(nanoseconds: count * 1_000_000)
  }

  private func change(_ milliseconds: Int64, _ count: Int) -> LayoutChange {
    LayoutChange(time: self.milliseconds(milliseconds), items: people(count))
  }

  @Test func itemsPresentAtTheStartHaveNoTransition() throws {
    let timeline = try timeline([change(0, 2)])
    #expect(timeline.attributes(at: milliseconds(-1)).isEmpty)
    #expect(timeline.attributes(at: .zero).map(\.alpha) == [1, 1])
  }

  @Test func transitionsRunningAtTheStartAreComplete() throws {
    let engine = try LayoutEngine(policy: try LayoutCatalog.policy("grid"), canvas: landscape)
    let timeline = try LayoutTimeline(
      [change(0, 1), change(1000, 2), change(2000, 3)], engine: engine, start: milliseconds(1250))
    #expect(timeline.attributes(at: milliseconds(1250)).map(\.alpha) == [1, 1])
    #expect(timeline.attributes(at: milliseconds(2000)).map(\.alpha) == [1, 1, 0])
  }

  @Test func aNewItemFadesInOverTheOthers() throws {
    let timeline = try timeline([change(0, 1), change(1000, 2)])
    let halfway = timeline.attributes(at: milliseconds(1250))
    #expect(halfway.map(\.frame) == rects("(0,45,960,630) (640,90,640,540)"))
    #expect(halfway.map(\.alpha) == [1, 0.5])
    #expect(halfway.map(\.scale) == [1, 0.9])
    #expect(timeline.attributes(at: milliseconds(1000)).map(\.alpha) == [1, 0])
    #expect(
      timeline.attributes(at: milliseconds(1500)).map(\.frame)
        == rects("(0,90,640,540) (640,90,640,540)"))
  }

  @Test func aRemovedItemFadesOutBehindTheOthers() throws {
    let timeline = try timeline([change(0, 2), change(1000, 1)])
    let halfway = timeline.attributes(at: milliseconds(1250))
    #expect(halfway.map(\.id) == [1, 0])
    #expect(halfway.map(\.alpha) == [0.5, 1])
    #expect(timeline.attributes(at: milliseconds(1500)).map(\.id) == [0])
  }

  @Test func croppingIsEvenOnTheWayToACroppedTile() throws {
    let timeline = try timeline([change(0, 1), change(1000, 2)])
    #expect(timeline.attributes(at: .zero).map(\.coverage) == [1])
    // In the end 2/3 of the width are shown, in a tile that the picture fills throughout.
    let halfway = timeline.attributes(at: milliseconds(1250))
    #expect(halfway.map(\.coverage) == [1, 1])
    let half = try #require(halfway.first { $0.id == 0 })
    let crop = PictureFit.Placement(aspectRatio: 16.0 / 9, in: half.frame, coverage: 1).crop
    #expect(crop.width > 0.8 && crop.width < 0.9)
  }

  /// A person has the canvas alone, then two people share it, with every transition between two
  /// fits.
  @Test(arguments: [16.0 / 9.0, 2.1, 2.6, 1.3])
  func picturesMoveSmoothlyBetweenFits(aspectRatio: Double) throws {
    let counts: [(Int64, Int)] = [(0, 1), (1000, 2), (2000, 1)]
    let changes = counts.map { time, count in
      LayoutChange(time: milliseconds(time), items: people(count, aspectRatio: aspectRatio))
    }
    let timeline = try timeline(changes)
    func placement(_ milliseconds: Int64) throws -> PictureFit.Placement {
      let attributes = timeline.attributes(at: self.milliseconds(milliseconds))
      let tile = try #require(attributes.first { $0.id == 0 })
      return PictureFit.Placement(
        aspectRatio: aspectRatio, in: tile.frame, coverage: try #require(tile.coverage))
    }
    #expect(
      try placement(999) == PictureFit.auto.place(aspectRatio: aspectRatio, in: landscape.bounds))
    let rest = try #require(timeline.attributes(at: milliseconds(1500)).first).frame
    let crop = try placement(1500).crop
    #expect(try placement(1500).destination == rest)
    #expect(min(crop.width, crop.height) > 0.665)
    let measures: [(PictureFit.Placement) -> Double] = [
      \.destination.height, \.destination.width, \.destination.y,
      { 1000 * $0.crop.width }, { 1000 * $0.crop.height },
    ]
    for start in [990, 1990] as [Int64] {
      let placements = try (0..<53).map { try placement(start + 10 * $0) }
      for measure in measures {
        let steps = zip(placements, placements.dropFirst()).map { measure($1) - measure($0) }
        #expect(steps.allSatisfy { $0 > -0.1 } || steps.allSatisfy { $0 < 0.1 })
        for index in 1..<steps.count - 1 {
          let neighbour = max(abs(steps[index - 1]), abs(steps[index + 1]))
          #expect(abs(steps[index]) <= 1.1 * neighbour + 0.5)
        }
      }
    }
  }

  @Test func anInterruptedTransitionContinuesFromItsState() throws {
    let timeline = try timeline([change(0, 1), change(1000, 2), change(1200, 5), change(1300, 1)])
    for moment in [1000, 1200, 1300, 1500, 1700, 1800] as [Int64] {
      let before = timeline.attributes(at: milliseconds(moment) - MediaTime(nanoseconds: 1))
      let after = timeline.attributes(at: milliseconds(moment))
      for item in after {
        guard let old = before.first(where: { $0.id == item.id }) else {
          #expect(item.alpha == 0)
          continue
        }
        #expect(agree([item.frame], [old.frame], within: 0.05))
        #expect(abs(item.alpha - old.alpha) < 1e-4)
      }
      #expect(before.allSatisfy { old in after.contains { $0.id == old.id } || old.alpha < 1e-4 })
    }
    #expect(timeline.attributes(at: milliseconds(1800)).map(\.alpha) == [1])
  }

  @Test func aChangeWithoutMotionDoesNotInterrupt() throws {
    var speaking = people(2)
    speaking[1].isSpeaking = true
    let changes = [change(0, 1), change(1000, 2)]
    let disturbed = changes + [LayoutChange(time: milliseconds(1250), items: speaking)]
    let (a, b) = (try timeline(changes), try timeline(disturbed))
    #expect(a == b)
  }

  @Test func aZeroDurationCuts() throws {
    let timeline = try timeline([change(0, 1), change(1000, 2)], transition: .cut)
    #expect(timeline.attributes(at: milliseconds(999)).count == 1)
    #expect(timeline.attributes(at: milliseconds(1000)).map(\.alpha) == [1, 1])
  }

  @Test func theLastOfSimultaneousChangesCounts() throws {
    let (a, b) = (
      try timeline([change(0, 1), change(500, 7), change(500, 2)]),
      try timeline([change(0, 1), change(500, 2)])
    )
    #expect(a == b)
  }

  @Test func thePolicyCanChange() throws {
    var spotlight = change(1000, 3)
    spotlight.policy = SpotlightLayout()
    let timeline = try timeline([change(0, 3), spotlight])
    #expect(timeline.attributes(at: milliseconds(1500)).first?.frame == landscape.bounds)
  }

  @Test func scrolledItemsComeFromTheirPositionOutOfView() throws {
    var speaking = people(9)
    speaking[8].isSpeaking = true
    let timeline = try timeline(
      [change(0, 9), LayoutChange(time: milliseconds(1000), items: speaking)],
      policy: "prominent:height=400")
    let tiles = [1000, 1400, 1430, 1500].map { time in
      timeline.attributes(at: milliseconds(time)).first { $0.id == 8 }
    }
    let (places, alphas) = (tiles.map { $0?.frame.y ?? 720 }, tiles.map { $0?.alpha ?? 0.5 })
    #expect(places == places.sorted(by: >) && places.first == 720 && places.last == 160)
    #expect(alphas == alphas.sorted() && alphas[2] > 0.5 && alphas.last == 1)
  }

  @Test func theArrayIsReusedWithoutMotion() throws {
    let timeline = try timeline([change(0, 3), change(1000, 4)])
    let (a, b) = (timeline.attributes(at: .zero), timeline.attributes(at: milliseconds(999)))
    #expect(isSameStorage(a, b))
    var engine = try LayoutEngine(policy: GridLayout(), canvas: landscape)
    let items = people(9)
    #expect(isSameStorage(engine.place(items), engine.place(items)))
  }

  private func isSameStorage(_ a: [LayoutAttributes], _ b: [LayoutAttributes]) -> Bool {
    unsafe a.withUnsafeBufferPointer { a in
      unsafe b.withUnsafeBufferPointer { b in unsafe a.baseAddress == b.baseAddress }
    }
  }

  @Test func aRemovedItemIsVisibleUntilTheTransitionEnds() throws {
    let timeline = try timeline([change(0, 1), change(1000, 2), change(2000, 1), change(9000, 2)])
    func visible(_ id: Int, before end: Int64) -> [TimeRange] {
      timeline.visibilities(of: id, before: milliseconds(end))
    }
    func interval(_ start: Int64, _ end: Int64) -> TimeRange {
      TimeRange(start: milliseconds(start), end: milliseconds(end))
    }
    #expect(visible(0, before: 20_000) == [interval(0, 20_000)])
    #expect(visible(1, before: 20_000) == [interval(1000, 2500), interval(9000, 20_000)])
    #expect(visible(1, before: 8000) == [interval(1000, 2500)])
    #expect(visible(1, before: 2200) == [interval(1000, 2200)])
    #expect(visible(1, before: 1000).isEmpty && visible(2, before: 20_000).isEmpty)
  }

  @Test func aRemovedItemIsVisibleLongerAfterInterruptions() throws {
    let timeline = try timeline([change(0, 4), change(1000, 3), change(1300, 2)])
    let visible = timeline.visibilities(of: 3, before: milliseconds(9000))
    #expect(visible.map(\.end) == [milliseconds(1800)])
    let seen = { timeline.attributes(at: self.milliseconds($0)).contains { $0.id == 3 } }
    #expect(seen(1799) && !seen(1800))
  }

  /// Two tiles fit side by side; a third and a fourth are pushed below the canvas.
  @Test func tilesOutsideTheCanvasAreReported() throws {
    let engine = try LayoutEngine(
      policy: try StylesheetLayout("stream { float: left; width: 50%; height: 100% }"),
      canvas: landscape)
    let timeline = try LayoutTimeline(
      [change(0, 2), change(1000, 3), change(2000, 4), change(3000, 2), change(4000, 3)],
      engine: engine)
    func times(_ id: Int, before end: Int64) -> [TimeRange] {
      timeline.offCanvasTimes(of: id, before: milliseconds(end))
    }
    func interval(_ start: Int64, _ end: Int64) -> TimeRange {
      TimeRange(start: milliseconds(start), end: milliseconds(end))
    }
    #expect(times(0, before: 9000).isEmpty && times(1, before: 9000).isEmpty)
    #expect(times(2, before: 9000) == [interval(1000, 3000), interval(4000, 9000)])
    #expect(times(2, before: 1500) == [interval(1000, 1500)])
    #expect(times(3, before: 9000) == [interval(2000, 3000)])
  }

  @Test(arguments: [
    ("position: absolute; left: 50px; top: 50px; width: 0; height: 100%", true),
    ("float: left; width: 0; height: 100%", true),
    ("position: absolute; left: 1279.8px; width: 100px; height: 100%", true),
    ("position: absolute; left: 1279.4px; width: 100px; height: 100%", false),
    ("position: absolute; left: -50%; width: 50%; height: 100%", true),
    ("position: absolute; left: -50%; width: 51%; height: 100%", false),
    ("display: none", false),
  ])
  func aTileIsSeenIfAPixelOfItIs(style: String, isStray: Bool) throws {
    let engine = try LayoutEngine(
      policy: try StylesheetLayout("stream { \(style) }"), canvas: landscape)
    let timeline = try LayoutTimeline([change(0, 1)], engine: engine)
    #expect(timeline.offCanvasTimes(of: 0, before: milliseconds(1000)).isEmpty != isStray)
    #expect(!timeline.isOutOfSight(0))
  }

  @Test(arguments: [
    ("speaker", 30, []), ("horizontal-presentation", 30, []), ("grid", 30, []), ("pip", 3, [2]),
    ("spotlight", 3, [2]), ("mosaic", 30, []), ("flow:width=600,height=400", 6, [4, 5]),
  ])
  func itemsThatALayoutNeverShowsAreReported(layout: String, count: Int, unseen: [Int]) throws {
    let timeline = try timeline([change(0, 2), change(1000, count)], policy: layout)
    #expect((0..<count).filter(timeline.isOutOfSight) == unseen)
  }

  @Test func excludedItemsAreNotReported() throws {
    let items = ["ada", "ben", "eva", "leo", "max"].enumerated().map {
      LayoutItem(id: $0, sources: [$1])
    }
    let regions = try RegionLayout(
      json: """
        {"video_layout": {"a": {"video_sources": ["*a", "ben"], "video_sources_excluded": ["leo"],
          "max_columns": 1, "max_rows": 1}}}
        """)
    let engine = try LayoutEngine(policy: regions, canvas: landscape, allItems: items)
    let timeline = try LayoutTimeline([LayoutChange(time: .zero, items: items)], engine: engine)
    #expect((0..<5).filter(timeline.isOutOfSight) == [1, 2, 4])
  }

  @Test(arguments: LayoutCatalog.names)
  func builtInLayoutsPlaceNothingOutsideTheCanvas(name: String) throws {
    for count in [1, 2, 3, 7, 30] {
      let timeline = try timeline([change(0, count)], policy: name)
      for id in 0..<count {
        #expect(timeline.offCanvasTimes(of: id, before: milliseconds(1000)).isEmpty)
      }
    }
  }

  @Test func survivesItsEncoding() throws {
    let timeline = try timeline([change(0, 1), change(1000, 2), change(1200, 5)])
    let copy = try Copy.of(timeline)
    #expect(copy == timeline)
  }
}
