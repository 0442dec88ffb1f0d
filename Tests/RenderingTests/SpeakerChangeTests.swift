import TesseraLayout
import TesseraRendering
import TesseraTimeline
import Testing

/// A plan whose layout knows who speaks.
@Suite struct SpeakerChangeTests {
  private let recordings: SceneRecordings

  init() throws { recordings = try SceneRecordings() }

  /// Two people in layout `speaker`; the one who speaks changes at frame 30.
  private func plan() throws -> Plan {
    let inputs = [recordings.stays, recordings.comes]
    var plan = try SceneRecordings.plan(
      try SceneRecordings.request(inputs, layout: "speaker", width: 640, height: 360))
    let changes = [0, 1].map { speaker in
      LayoutChange(
        time: MediaTime(seconds: speaker),
        items: (0..<2).map { id in
          LayoutItem(id: id, aspectRatio: [16.0 / 9, 1][id], isSpeaking: id == speaker)
        })
    }
    plan.scenes = try AttributeTimeline(
      changes,
      engine: LayoutEngine(
        policy: try LayoutCatalog.policy("speaker"), canvas: Size(width: 640, height: 360)))
    return plan
  }

  @Test func theNewSpeakerGrowsAsTheOldOneShrinks() throws {
    let plan = try plan()
    func area(_ id: Int, _ frame: Int) throws -> Double {
      let tile = try #require(plan.attributes(in: frame).first { $0.id == id })
      return tile.frame.width * tile.frame.height
    }
    #expect(try area(0, 29) == area(0, 0) && area(1, 29) == area(1, 0))
    #expect(try area(0, 30) > area(1, 30))
    for frame in 30..<45 {
      #expect(try area(0, frame + 1) < area(0, frame))
      #expect(try area(1, frame + 1) > area(1, frame))
    }
    #expect(try area(1, 45) > area(0, 45))
    #expect(plan.attributes(in: 60) == plan.attributes(in: 45))
  }

  @Test func everyStepIsRenderedAlsoAlone() throws {
    let plan = try plan()
    let all = Rendered(plan, frames: 28..<48)
    #expect(Set((30...45).compactMap { all.digests[$0] }).count == 16)
    #expect(Rendered(plan, frames: 37..<38).digests[37] == all.digests[37])
  }
}
