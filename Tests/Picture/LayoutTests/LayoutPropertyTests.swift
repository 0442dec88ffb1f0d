import TesseraLayout
import TesseraTimeline
import TestSupport
import Testing

/// Invariants of every named layout, over many counts, canvases and aspect ratios.
@Suite(.timed) struct LayoutPropertyTests {
  static let canvases = [
    (1280, 720), (720, 1280), (1920, 1080), (640, 480), (1000, 1000), (333, 777), (320, 180),
    (2560, 400),
  ].map { Size(width: Double($0), height: Double($1)) }

  /// Layouts without overlapping tiles.
  static let tiling = ["auto", "grid", "best-fit", "multiparty", "speaker", "mosaic", "flow"]

  /// Layouts with tiles partly or completely outside the canvas.
  static let scrolling = ["prominent"]

  @Test(arguments: LayoutCatalog.names, canvases)
  func invariantsHoldForEveryCount(name: String, canvas: Size) throws {
    var random = SplitMix64(seed: 7)
    let policy = try LayoutCatalog.policy(name)
    for count in 0...120 {
      let items = (0..<count).map { id in
        LayoutItem(
          id: id, kind: Int.random(in: 0..<20, using: &random) == 0 ? .screen : .camera,
          aspectRatio: Int.random(in: 0..<8, using: &random) == 0
            ? nil : Double.random(in: 0.4...2.4, using: &random),
          isLocal: id == count / 2, isSpeaking: id == count / 3)
      }
      var engine = try LayoutEngine(policy: policy, canvas: canvas, gap: 4)
      let attributes = engine.place(items)
      let tiles = attributes.filter(\.isVisible).map(\.displayFrame)
      let label = "\(name) \(canvas) \(count)"
      if !Self.scrolling.contains(name) {
        #expect(tiles.allSatisfy { isInside($0, canvas) }, "\(label) inside")
      }
      // With two people, `speaker` has one in a corner of the other.
      if Self.tiling.contains(name), name != "speaker" || count != 2 {
        #expect(!overlap(tiles), "\(label) overlap")
      }
      #expect(count == 0 || !tiles.isEmpty, "\(label) empty")
      #expect(Set(attributes.map(\.id)).count == attributes.count, "\(label) twice")
      let all = engine.allAttributes
      let counted = all.reduce(0) { $0 + ($1.overflowCount > 0 ? $1.overflowCount : 1) }
      #expect(
        counted == count || (all.count { $0.overflowCount > 0 } == 0 && engine.unplaced.count > 0),
        "\(label) counted")
      #expect(counted + (counted == count ? 0 : engine.unplaced.count) == count, "\(label) counted")
    }
  }

  @Test(arguments: LayoutCatalog.names) func namesDoNotMatter(name: String) throws {
    let policy = try LayoutCatalog.policy(name)
    let items = people(11)
    let renamed = items.map { item in
      var item = item
      item.sources = ["\(97 - item.id)"]
      return item
    }
    let context = LayoutContext(canvas: landscape, items: items)
    let other = LayoutContext(canvas: landscape, items: renamed)
    #expect(policy.prepare(context) == policy.prepare(context))
    #expect(policy.prepare(context) == policy.prepare(other))
  }

  /// People come, go and speak at random: a person who stays keeps the seat, unless a seat
  /// disappears; then at most one person moves.
  @Test(arguments: 0..<20) func nobodyMovesWithoutCause(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var engine = try LayoutEngine(policy: GridLayout(), canvas: landscape, maximumTiles: 9)
    var items = people(6)
    var order = engine.place(items).map(\.id)
    for step in 0..<200 {
      switch Int.random(in: 0..<3, using: &random) {
      case 0 where items.count > 1:
        items.remove(at: Int.random(in: items.indices, using: &random))
      case 1 where items.count < 20:
        items.append(LayoutItem(id: 100 + step, aspectRatio: 16.0 / 9.0))
      default:
        let speaker = Int.random(in: items.indices, using: &random)
        for index in items.indices { items[index].isSpeaking = index == speaker }
      }
      let now = engine.place(items).map(\.id)
      let moved = zip(order, now).count { $0 != $1 && now.contains($0) && $0 >= 0 }
      let lostSeats = order.count { $0 >= 0 } - now.count { $0 >= 0 }
      #expect(moved <= max(0, lostSeats), "step \(step): \(order) \(now)")
      order = now
    }
  }

  /// Random changes at random times: every result is drawable, and nothing jumps between moments a
  /// millisecond apart.
  @Test(arguments: LayoutCatalog.names) func nothingJumpsInTransitions(name: String) throws {
    var random = SplitMix64(seed: 11)
    let policy = try LayoutCatalog.policy(name)
    let times = (0..<12).map { _ in Int64.random(in: 0..<3_000_000_000, using: &random) }
    let changes = times.map { time in
      var items = people(Int.random(in: 1...14, using: &random))
      items[Int.random(in: items.indices, using: &random)].isSpeaking = true
      return LayoutChange(time: MediaTime(nanoseconds: time), items: items)
    }
    let timeline = try LayoutTimeline(
      changes, engine: try LayoutEngine(policy: policy, canvas: landscape, gap: 4),
      frameRate: try #require(FrameRate(240)))
    var last: [LayoutAttributes] = []
    for millisecond in Int64(0)..<4000 {
      let time = MediaTime(nanoseconds: millisecond * 1_000_000)
      let now = timeline.attributes(at: time)
      #expect(Set(now.map { [$0.id, $0.instance] }).count == now.count)
      for item in now where item.alpha > 0 {
        #expect((0...1).contains(item.alpha) && (0...1.0001).contains(item.scale))
        // A person who dissolves to another place has two tiles for a while.
        let steps = last.filter { $0.id == item.id && $0.alpha > 0 }.map { old in
          let distance = max(
            abs(old.frame.midX - item.frame.midX), abs(old.frame.y - item.frame.y))
          // A carousel passes up to 13 people in half a second.
          let (reach, fade) = name == "prominent" ? (100.0, 0.15) : (60, 0.02)
          return max(distance / reach, abs(old.alpha - item.alpha) / fade)
        }
        guard let least = steps.min() else { continue }
        #expect(least < 1 || policy.dissolves && item.alpha < 0.02, "\(name) \(time)")
      }
      last = now
    }
  }

  private func isInside(_ tile: Rect, _ canvas: Size) -> Bool {
    tile.x >= 0 && tile.y >= 0 && tile.maxX <= canvas.width && tile.maxY <= canvas.height
  }

  private func overlap(_ tiles: [Rect]) -> Bool {
    tiles.indices.contains { a in tiles[..<a].contains { $0.intersects(tiles[a]) } }
  }
}

/// A seeded random number generator (Steele, Lea and Flood 2014).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
