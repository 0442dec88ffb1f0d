import TesseraLayout
import TesseraTimeline
import TestSupport
import Testing

/// Motion without jumps, measured every four milliseconds of a transition.
@Suite(.timed) struct MotionTests {
  private static let policies = [
    "auto", "grid", "best-fit", "multiparty", "spotlight", "speaker", "prominent", "mosaic", "flow",
    "pip", "horizontal-presentation", "vertical-presentation",
  ]

  /// Returns people with different aspect ratios.
  private static func allItems(_ ids: [Int], speaker: Int? = nil, screen: Int? = nil)
    -> [LayoutItem]
  {
    ids.map { id in
      var item = LayoutItem(id: id, aspectRatio: [16.0 / 9, 4.0 / 3, 9.0 / 16, 1][id % 4])
      item.isSpeaking = id == speaker
      if id == speaker { item.lastSpoke = MediaTime(nanoseconds: 1) }
      if id == screen {
        item.kind = .screen
        item.aspectRatio = 1.6
      }
      return item
    }
  }

  /// A person joins, a person leaves, another speaks, a screen is shared and stopped.
  private static let scenes: [(name: String, from: [LayoutItem], to: [LayoutItem])] = [
    ("join", allItems([0, 1, 2]), allItems([0, 1, 2, 3])),
    ("join one", allItems([0]), allItems([0, 1])),
    ("leave", allItems([0, 1, 2, 3, 4]), allItems([0, 2, 3, 4])),
    ("speak", allItems([0, 1, 2, 3], speaker: 0), allItems([0, 1, 2, 3], speaker: 2)),
    ("share", allItems([0, 1, 2]), allItems([0, 1, 2, 7], screen: 7)),
    ("unshare", allItems([0, 1, 2, 7], screen: 7), allItems([0, 1, 2])),
  ]

  /// Returns the visible edges of a picture on the canvas, and its drawn size.
  private static func measures(_ attributes: LayoutAttributes) -> [Double] {
    guard let ratio = attributes.aspectRatio, let coverage = attributes.coverage else { return [] }
    let place = PictureFit.Placement(
      aspectRatio: ratio, in: attributes.displayFrame, coverage: coverage)
    let (shown, crop) = (place.destination, place.crop)
    return [
      shown.x, shown.y, shown.maxX, shown.maxY, shown.width / crop.width,
      shown.height / crop.height, 300 * attributes.alpha,
    ]
  }

  private static func leaving(_ policy: String, _ from: [LayoutItem], _ to: [LayoutItem]) throws
    -> LayoutTimeline
  {
    try LayoutTimeline(
      [
        LayoutChange(time: .zero, items: from),
        LayoutChange(time: MediaTime(seconds: 1), items: to),
      ],
      engine: LayoutEngine(policy: LayoutCatalog.policy(policy), canvas: landscape, gap: 4))
  }

  @Test("When the large tile leaves, the next one dissolves in over it", arguments: [2, 3, 4, 7])
  func heir(count: Int) throws {
    let all = people(count)
    var before = all
    before[1].isSpeaking = true
    let timeline = try Self.leaving("speaker", before, all.filter { $0.id != 1 })
    let place = try #require(timeline.attributes(at: .zero).first { $0.traits.contains(.large) })
    let next = timeline.attributes(at: MediaTime(seconds: 2)).first { $0.traits.contains(.large) }
    for step in 0..<50 {
      let tiles = timeline.attributes(
        at: MediaTime(nanoseconds: 1_000_000_000 + Int64(step) * 10_000_000))
      let left = try #require(tiles.first { $0.id == 1 })
      #expect(left.alpha == 1 && left.displayFrame == place.displayFrame)
      let heir = try #require(
        tiles.first { $0.id == next?.id && $0.traits.contains(.large) && $0.instance == 0 })
      #expect(heir.scale == 1 && heir.frame.size.area >= place.frame.size.area)
    }
    #expect(
      timeline.attributes(at: MediaTime(nanoseconds: 1_500_000_000)).allSatisfy {
        $0.id != 1 && $0.alpha == 1
      })
  }

  @Test(
    "A new tile is in front of those that make room",
    arguments: ["grid", "speaker", "auto", "best-fit"])
  func newcomersAreInFront(policy: String) throws {
    let timeline = try Self.leaving(policy, people(3), people(4))
    let tiles = timeline.attributes(at: MediaTime(nanoseconds: 1_200_000_000))
    #expect(tiles.last?.id == 3 && tiles.count == 4)
  }

  @Test(
    "While a strip forms, no copy of the inset stays over the large tile", arguments: [0, 1, 2])
  func insetBecomesStrip(speaker: Int) throws {
    var after = people(3)
    after[speaker].isSpeaking = true
    let timeline = try Self.leaving("speaker", people(2), after)
    for step in 0..<50 {
      let tiles = timeline.attributes(
        at: MediaTime(nanoseconds: 1_000_000_000 + Int64(step) * 10_000_000))
      #expect(Set(tiles.map(\.id)).count == tiles.count, "\(step)")
    }
  }

  @Test(arguments: policies, 0..<6)
  func picturesMoveSmoothly(policy: String, scene: Int) throws {
    let (name, from, to) = Self.scenes[scene]
    // These layouts dissolve people in place, also in the place of a screen.
    let dissolves = try LayoutCatalog.policy(policy).dissolves
    guard !dissolves || name != "speak" && (name != "unshare" || policy == "auto") else { return }
    let timeline = try LayoutTimeline(
      [
        LayoutChange(time: .zero, items: from),
        LayoutChange(time: MediaTime(nanoseconds: 1_000_000_000), items: to),
      ],
      engine: LayoutEngine(
        policy: try LayoutCatalog.policy(policy), canvas: landscape, gap: 4),
      transition: .standard, frameRate: try #require(FrameRate(240)))
    var tracks: [Int: [[Double]]] = [:]
    for step in 0...126 {
      let time = MediaTime(nanoseconds: 996_000_000 + Int64(step) * 4_000_000)
      for attributes in timeline.attributes(at: time) where attributes.overflowCount == 0 {
        tracks[attributes.id, default: []].append(Self.measures(attributes))
      }
    }
    for (id, track) in tracks {
      let measures = track[0].indices.map { index in track.map { $0[index] } }
      // A picture that fills its tile scales as fast as the tile's edges move, even if it ends with
      // its original size.
      let extents = measures.map { ($0.max() ?? 0) - ($0.min() ?? 0) }
      let reach = extents.dropLast().max() ?? 0
      for (index, values) in measures.enumerated() {
        let jump = zip(values, values.dropFirst()).map { abs($1 - $0) }.max() ?? 0
        // The curve is at most twice as steep as a straight line, over 125 steps.
        let extent = max(extents[index], reach)
        // A carousel that passes a person moves twice as far as the visible part of each.
        let pace = policy == "prominent" && name == "speak" ? 0.06 : 0.03
        #expect(jump <= pace * extent + 1.5, "\(name) of \(id) by \(policy), measure \(index)")
      }
    }
  }

  @Test func tilesThatMoveMostAreBehind() throws {
    let timeline = try LayoutTimeline(
      [
        LayoutChange(time: .zero, items: people(4)),
        LayoutChange(time: MediaTime(nanoseconds: 1_000_000_000), items: people(5)),
      ],
      engine: LayoutEngine(policy: try LayoutCatalog.policy("grid"), canvas: landscape))
    let (start, end) = (
      timeline.attributes(at: .zero),
      timeline.attributes(at: MediaTime(nanoseconds: 2_000_000_000))
    )
    func distance(_ id: Int) -> Double {
      guard let a = start.first(where: { $0.id == id })?.frame,
        let b = end.first(where: { $0.id == id })?.frame
      else { return -1 }
      return abs(a.x - b.x) + abs(a.y - b.y) + abs(a.maxX - b.maxX) + abs(a.maxY - b.maxY)
    }
    let halfway = timeline.attributes(at: MediaTime(nanoseconds: 1_250_000_000))
    let distances = halfway.map { distance($0.id) }
    // New tiles are in front.
    #expect(distances.filter { $0 >= 0 } == distances.filter { $0 >= 0 }.sorted(by: >))
    #expect(distances.last == -1)
    #expect(Set(distances).count > 2)
  }

  @Test func frontTilesStayInFrontForHalfOfTheTransition() throws {
    var (a, b) = (people(2), people(2))
    a[0].isFocused = true
    b[1].isFocused = true
    let timeline = try LayoutTimeline(
      [
        LayoutChange(time: .zero, items: a),
        LayoutChange(time: MediaTime(nanoseconds: 1_000_000_000), items: b),
      ],
      engine: LayoutEngine(policy: try LayoutCatalog.policy("pip"), canvas: landscape))
    func front(_ milliseconds: Int64) -> Int? {
      timeline.attributes(at: MediaTime(nanoseconds: milliseconds * 1_000_000)).last?.id
    }
    #expect(front(999) == front(1000) && front(1000) == front(1240))
    #expect(front(1260) == front(1500) && front(999) != front(1500))
  }
}
