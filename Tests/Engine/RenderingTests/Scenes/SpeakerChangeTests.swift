import PlanningSupport
import TesseraLayout
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraTimeline
import TestSupport
import Testing

/// A plan whose layout follows the active speaker.
@Suite(.timed) struct SpeakerChangeTests {
  private let recordings: SceneRecordings

  init() throws { recordings = try SceneRecordings() }

  /// Returns the plan of two people in layout `speaker`; the active speaker changes at frame 30.
  private func plan() throws -> Plan {
    let inputs = [recordings.stays, recordings.comes]
    var plan = try SceneRecordings.plan(
      try SceneRecordings.request(inputs, layout: "speaker", width: 640, height: 360))
    let changes = [0, 1].map { speaker in
      LayoutChange(
        time: MediaTime(seconds: speaker),
        items: (0..<2).map { id in
          LayoutItem(id: id, aspectRatio: [16.0 / 9, 4.0 / 3][id], isSpeaking: id == speaker)
        })
    }
    plan.scenes = try LayoutTimeline(
      changes,
      engine: LayoutEngine(
        policy: try LayoutCatalog.policy("speaker"), canvas: Size(width: 640, height: 360)))
    return plan
  }

  @Test func theNewSpeakerReplacesTheOldOneInPlace() throws {
    let plan = try plan()
    func tiles(_ frame: Int) -> [LayoutAttributes] { plan.attributes(in: frame) }
    let places = Set(tiles(0).map(\.frame))
    let large = try #require(tiles(0).first { $0.traits.contains(.large) }).frame
    #expect(tiles(29) == tiles(0))
    for frame in 30..<45 {
      #expect(Set(tiles(frame).map(\.frame)) == places)
      #expect(tiles(frame).filter { $0.frame == large }.map(\.id) == [0, 1])
      #expect(tiles(frame).first { $0.frame == large }?.alpha == 1)
    }
    #expect(tiles(45).map(\.id) == [1, 0] && tiles(45).map(\.alpha) == [1, 1])
    #expect(tiles(60) == tiles(45))
  }

  @Test func everyTransitionFrameIsRenderedAlsoByItself() throws {
    let plan = try plan()
    let all = Rendered(plan, frames: 28..<48)
    #expect(Set((30...45).compactMap { all.digests[$0] }).count == 16)
    #expect(Rendered(plan, frames: 37..<38).digests[37] == all.digests[37])
  }
}
