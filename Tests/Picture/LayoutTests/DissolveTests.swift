import TesseraLayout
import TesseraTimeline
import TestSupport
import Testing

/// People who swap places while nobody comes or goes dissolve in place.
@Suite(.timed) struct DissolveTests {
  private static func allItems(_ count: Int, speaker: Int, screen: Bool = false) -> [LayoutItem] {
    var items = people(count)
    items[speaker].isSpeaking = true
    if screen { items.append(LayoutItem(id: 99, kind: .screen, aspectRatio: 1.6)) }
    return items
  }

  private static func timeline(
    _ layout: String, _ scenes: [[LayoutItem]], every milliseconds: Int64 = 1500
  ) throws -> LayoutTimeline {
    try LayoutTimeline(
      scenes.enumerated().map { index, items in
        LayoutChange(
          time: MediaTime(nanoseconds: Int64(index) * milliseconds * 1_000_000), items: items)
      },
      engine: LayoutEngine(
        policy: try LayoutCatalog.policy(layout), canvas: landscape, gap: 4))
  }

  private static func times(_ range: Range<Int64>) -> [MediaTime] {
    range.map { MediaTime(nanoseconds: $0 * 10_000_000) }
  }

  @Test(arguments: ["speaker", "speaker:position=bottom", "auto"], [2, 5, 30])
  func nothingMovesWhenTheSpeakerChanges(layout: String, count: Int) throws {
    let scenes = [0, 1, count / 2, count - 1].map {
      Self.allItems(count, speaker: $0, screen: layout == "auto")
    }
    let timeline = try Self.timeline(layout, scenes)
    let places = Set(timeline.attributes(at: .zero).map(\.frame))
    for time in Self.times(0..<700) {
      let now = timeline.attributes(at: time)
      #expect(Set(now.map(\.frame)) == places && now.allSatisfy { $0.scale == 1 })
      // Every place is always covered.
      for place in places {
        #expect(now.contains { $0.frame == place && $0.alpha == 1 }, "\(time) \(place)")
      }
    }
  }

  @Test func theNewSpeakerAppearsOverTheOldOne() throws {
    let timeline = try Self.timeline(
      "speaker", [Self.allItems(4, speaker: 0), Self.allItems(4, speaker: 2)])
    let large = try #require(timeline.attributes(at: .zero).first { $0.traits.contains(.large) })
    let halfway = timeline.attributes(at: MediaTime(nanoseconds: 1_750_000_000))
      .filter { $0.frame == large.frame }
    #expect(halfway.map(\.id) == [0, 2] && halfway.map(\.alpha) == [1, 0.5])
    let after = timeline.attributes(at: MediaTime(nanoseconds: 2_000_000_000))
    #expect(after.count == 4 && after.allSatisfy { $0.instance == 0 && $0.alpha == 1 })
  }

  /// Changes during a transition.
  @Test func aChangeDuringATransitionDoesNotJump() throws {
    let scenes = [0, 1, 2, 3, 1].map { Self.allItems(5, speaker: $0) }
    let timeline = try Self.timeline("speaker", scenes, every: 300)
    let places = Set(timeline.attributes(at: .zero).map(\.frame))
    var last: [LayoutAttributes] = []
    for time in Self.times(0..<250) {
      let now = timeline.attributes(at: time)
      #expect(Set(now.map(\.frame)) == places)
      #expect(Set(now.map { [$0.id, $0.instance] }).count == now.count)
      for place in places {
        let (a, b) = (last, now).0.isEmpty ? (now, now) : (last, now)
        for id in 0..<5 {
          let seen = [a, b].map { share(of: id, at: place, in: $0) }
          #expect(abs(seen[0] - seen[1]) < 0.06, "\(id) at \(time)")
        }
      }
      last = now
    }
  }

  /// Returns the share of a person's picture in the blend at a place.
  private func share(of id: Int, at place: Rect, in attributes: [LayoutAttributes]) -> Double {
    attributes.filter { $0.frame == place }.reduce(0) { share, tile in
      share * (1 - tile.alpha) + (tile.id == id ? tile.alpha : 0)
    }
  }

  @Test func movingTilesKeepMovingWhenTheSpeakerChanges() throws {
    let scenes = [
      Self.allItems(5, speaker: 0), Self.allItems(5, speaker: 0, screen: true),
      Self.allItems(5, speaker: 3, screen: true),
    ]
    let timeline = try Self.timeline("auto", scenes, every: 200)
    for time in Self.times(0..<100) {
      #expect(timeline.attributes(at: time).allSatisfy { $0.instance == 0 }, "\(time)")
    }
  }

  @Test func tilesMoveWhenAPersonComes() throws {
    let timeline = try Self.timeline(
      "speaker", [Self.allItems(4, speaker: 0), Self.allItems(5, speaker: 2)])
    let halfway = timeline.attributes(at: MediaTime(nanoseconds: 1_750_000_000))
    let ends = [MediaTime.zero, MediaTime(seconds: 3)].flatMap(timeline.attributes)
    #expect(halfway.count == 5)
    #expect(!Set(halfway.map(\.frame)).isSubset(of: ends.map(\.frame)))
  }
}
