import TesseraLayout
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct SpotlightLayoutTests {
  private let phone = Size(width: 358, height: 658)

  private func call(_ count: Int, change: (inout [LayoutItem]) -> Void = { _ in }) -> [LayoutItem] {
    var items = people(count)
    items[0].isLocal = true
    change(&items)
    return items
  }

  private func places(_ items: [LayoutItem]) -> [LayoutItem.ID] {
    SpotlightLayout().prepare(LayoutContext(canvas: phone, items: items)).attributes
      .sorted { $0.zIndex < $1.zIndex }.map(\.id)
  }

  @Test func theSmallTileMatchesTheStoryboard() {
    let actual = frames(SpotlightLayout(), phone, call(2))
    #expect(agree(actual, rects("(226,486,120,160) (0,0,358,658)"), within: 1e-9), "\(actual)")
  }

  @Test func theLocalParticipantIsLargeWhenAlone() {
    #expect(places(call(1)) == [0])
  }

  @Test func theRemoteParticipantIsLarge() {
    #expect(places(call(2)) == [1, 0])
  }

  @Test func anySpeakerIsLarge() {
    #expect(places(call(4) { $0[2].isSpeaking = true }) == [2, 0])
    let local = call(4) {
      $0[0].isSpeaking = true
      $0[3].lastSpoke = .zero
    }
    #expect(places(local) == [0, 3])
    // Without a local participant, the previous speaker is small.
    let others = local.map { item in
      var item = item
      item.isLocal = false
      return item
    }
    #expect(places(others) == [0, 3])
  }

  @Test func theLocalParticipantCanStayInTheCorner() throws {
    let items = call(4) { $0[0].isSpeaking = true }
    for name in ["spotlight:self=corner", "speaker:self=corner"] {
      let arrangement = try LayoutCatalog.policy(name).prepare(
        LayoutContext(canvas: phone, items: items))
      #expect(arrangement.attributes.first { $0.traits.contains(.large) }?.id == 1)
    }
    let speaker = try LayoutCatalog.policy("speaker").prepare(
      LayoutContext(canvas: phone, items: items))
    #expect(speaker.attributes.first { $0.traits.contains(.large) }?.id == 0)
  }

  @Test func aSingleSpeakerHasNoStrip() throws {
    let policy = try LayoutCatalog.policy("speaker:strip=none")
    let arrangement = policy.prepare(
      LayoutContext(canvas: landscape, items: call(30) { $0[7].isSpeaking = true }))
    #expect(arrangement.attributes.map(\.id) == [7])
    #expect(arrangement.attributes.map(\.frame) == [landscape.bounds])
    #expect(policy.overflow == .everyone)
  }

  @Test func aScreenIsLargeAndTheRemoteCameraSmall() {
    #expect(places(call(3) { $0[2].kind = .screen }) == [2, 1])
  }

  @Test func theFocusedPersonIsLarge() {
    #expect(places(call(4) { ($0[3].isFocused, $0[2].isSpeaking) = (true, true) }) == [3, 0])
  }

  @Test func theSpeakersDissolveInPlace() throws {
    let changes = [
      LayoutChange(time: .zero, items: call(3) { $0[1].isSpeaking = true }),
      LayoutChange(time: MediaTime(seconds: 1), items: call(3) { $0[2].isSpeaking = true }),
    ]
    let timeline = try LayoutTimeline(
      changes, engine: try LayoutEngine(policy: SpotlightLayout(), canvas: phone))
    let halfway = timeline.attributes(at: MediaTime(nanoseconds: 1_250_000_000))
    #expect(halfway.map(\.id) == [1, 2, 0])
    #expect(halfway.map(\.alpha) == [1, 0.5, 1])
    #expect(halfway.map(\.scale) == [1, 1, 1])
  }

  /// Both cameras are off: a card on a card.
  @Test func aCardOnACardHasAnEdge() throws {
    var engine = try LayoutEngine(policy: SpotlightLayout(), canvas: phone)
    for (seen, hasEdge) in [
      ([false, false], true), ([true, false], false), ([false, true], false),
      ([true, true], false),
    ] {
      var items = call(2) { _ in }
      for index in items.indices { items[index].isSeen = seen[index] }
      let tiles = engine.place(items)
      #expect(tiles[0].border == nil)
      #expect((tiles[1].border != nil) == hasEdge && tiles[1].traits.contains(.edged) == hasEdge)
    }
  }

  @Test func theLocalMicrophoneIsShownOnlyWhenAlone() {
    func quiet(_ items: [LayoutItem]) -> [Int] {
      SpotlightLayout().prepare(LayoutContext(canvas: phone, items: items)).attributes
        .filter { $0.traits.contains(.withoutMicrophone) }.map(\.id)
    }
    #expect(quiet(call(1) { _ in }).isEmpty && quiet(call(3) { _ in }) == [0])
    #expect(quiet(call(3) { $0[0].isFocused = true }) == [0])
  }
}
