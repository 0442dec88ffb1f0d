import Foundation
import PlanningSupport
import TesseraCodecs
import TesseraLayout
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraTimeline
import TestSupport
import Testing

/// The present participants determine the layout, frame by frame.
@Suite(.timed) struct SceneTests {
  private let recordings: SceneRecordings

  init() throws { recordings = try SceneRecordings() }

  private func plan(_ change: (inout RenditionRequest) -> Void = { _ in }) throws -> Plan {
    var request = try SceneRecordings.request(recordings.all)
    change(&request)
    return try SceneRecordings.plan(request)
  }

  @Test func presenceLastsFromTheFirstPictureToTheLast() throws {
    let plan = try plan()
    #expect(plan.presences == [[0..<90], [30..<90], [0..<60]])
    #expect(plan.visibilities == [[0..<90], [30..<90], [0..<75]])
    let shapes: [Double] = [16.0 / 9, 1, 4.0 / 3]
    #expect(plan.tracks.map(\.aspectRatio) == shapes)
  }

  @Test func tilesComeAndGoAtExactFrames() throws {
    let plan = try plan()
    let ids = { (frame: Int) in plan.attributes(in: frame).map(\.id) }
    let alphas = { (frame: Int) in plan.attributes(in: frame).map(\.alpha) }
    #expect(ids(0) == [0, 2] && alphas(0) == [1, 1])
    #expect(plan.attributes(in: 29) == plan.attributes(in: 0))
    #expect(ids(30) == [0, 2, 1] && alphas(30) == [1, 1, 0])
    #expect(ids(44) == [0, 2, 1] && alphas(44)[2] < 1)
    #expect(ids(45) == [0, 2, 1] && alphas(45) == [1, 1, 1])
    #expect(plan.attributes(in: 59) == plan.attributes(in: 45))
    #expect(ids(60) == [2, 1, 0] && alphas(60) == [1, 1, 1])
    #expect(ids(74) == [2, 1, 0] && alphas(74)[0] > 0)
    #expect(ids(75) == [0, 1])
    #expect(plan.attributes(in: 89) == plan.attributes(in: 75))
  }

  @Test func aZeroTransitionCuts() throws {
    let plan = try plan { $0.rendition.transition = .cut }
    #expect(plan.visibilities == plan.presences)
    #expect(plan.attributes(in: 29).map(\.id) == [0, 2])
    #expect(plan.attributes(in: 30).map(\.id) == [0, 2, 1])
    #expect(plan.attributes(in: 59) == plan.attributes(in: 30))
    #expect(plan.attributes(in: 60).map(\.id) == [0, 1])
    #expect((0..<90).allSatisfy { plan.attributes(in: $0).allSatisfy { $0.alpha == 1 } })
  }

  @Test func surplusPeopleAreCountedAndTakeFreedPlaces() throws {
    var request = try SceneRecordings.request(
      recordings.all + [recordings.stays, recordings.stays])
    request.rendition.maximumTiles = 4
    let plan = try SceneRecordings.plan(request)
    #expect(plan.attributes(in: 59).count == 4)
    #expect(plan.attributes(in: 59).map(\.overflowCount).filter { $0 > 0 } == [2])
    // The last person to come takes the place of the person who leaves.
    let last = try #require(plan.presences.firstIndex(of: [30..<90]))
    #expect(plan.attributes(in: 89).map(\.id).contains(last))
    #expect(plan.visibilities[last] == [60..<90])
  }

  @Test func invisiblePeopleAreNotDecoded() throws {
    let plan = try plan { $0.rendition.maximumTiles = 1 }
    #expect(plan.visibilities.map(\.isEmpty) == [false, true, true])
    let reports = Rendered(plan, frames: 0..<plan.frameCount).reports
    #expect(reports.map(\.decoded) == [90, 0, 0])
  }

  @Test func unreadablePeopleStayPlaceholders() throws {
    let path = recordings.folder.path("notes.txt")
    try Data("no recording".utf8).write(to: URL(fileURLWithPath: path))
    let plan = try SceneRecordings.plan(try SceneRecordings.request([path, recordings.leaves]))
    #expect(plan.presences[0] == [0..<60])
    #expect(plan.attributes(in: 59).map(\.id) == [0, 1])
  }

  @Test func aPlanSurvivesItsCoding() throws {
    let plan = try plan()
    let copy = try JSONDecoder().decode(Plan.self, from: try JSONEncoder().encode(plan))
    #expect(copy.scenes == plan.scenes)
    #expect(copy.slots == plan.slots && copy.overflow == plan.overflow)
  }

  @Test func theFocusedParticipantIsLarge() throws {
    for person in ["leaves", recordings.leaves, "3"] {
      let plan = try plan { request in
        request.rendition.layout = SpotlightLayout()
        request.rendition.focus = person
      }
      let large = plan.attributes(in: 50).filter { $0.traits.contains(.large) }
      #expect(large.map(\.id) == [2])
    }
  }

  @Test func theFirstParticipantIsLocalByDefault() throws {
    let first = try plan { $0.rendition.layout = MultipartyLayout() }
    #expect(first.attributes(in: 50).first?.id == 0)
    let second = try plan { request in
      request.rendition.layout = MultipartyLayout()
      request.call.local = "leaves"
    }
    #expect(second.attributes(in: 50).first?.id == 2)
  }
}

/// Recordings that start and end at nearly the same time.
@Suite(.timed) struct SettlingTests {
  @Test func tilesDoNotMoveForAFewFramesAtEitherEnd() throws {
    let folder = try TemporaryFolder()
    let paths = [folder.path("long.mkv"), folder.path("short.mkv")]
    for (path, part) in zip(paths, ["0", "10"]) {
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "testsrc2=s=64x36:r=30:d=3", "-f", "lavfi", "-i",
        "sine=sample_rate=48000:d=3", "-vf", "trim=start_frame=\(part):end_frame=80", "-c:v",
        "ffv1", "-c:a", "pcm_s16le", path,
      ])
    }
    let plan = try Plan.small(paths)
    #expect(plan.frameCount == 90)
    #expect(plan.tracks[1].frames == 10..<80)
    #expect((0..<plan.frameCount).allSatisfy { plan.attributes(in: $0).map(\.id) == [0, 1] })
    let whole = Rendered(plan, frames: 0..<90)
    #expect(whole.digests[85] == Rendered(plan, frames: 85..<86).digests[85])
    #expect(whole.digests[85] == whole.digests[79])
  }
}
