import Foundation
import PlanningSupport
import TesseraCodecs
import TesseraJobs
import TesseraLayout
import TesseraLettering
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraRequest
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlanning

/// Plans of calls whose layout content is larger than the canvas.
@Suite(.timed) struct ScrolledSceneTests {
  private let recordings: SceneRecordings

  init() throws { recordings = try SceneRecordings() }

  /// Returns the plan of a call of `count` people; `speakers` has the active speaker of each
  /// second.
  private func plan(
    _ count: Int, layout: String, speakers: [Int] = [], width: Int = 360, height: Int = 300,
    change: (inout RenditionRequest) -> Void = { _ in }
  ) throws -> Plan {
    let people = (0..<count).map { "  - { id: p\($0), tracks: [ { file: stays.mkv } ] }" }
    let events = speakers.enumerated().map { "{ at: \($0), speaking: p\($1) }" }
    let session =
      "version: 1\nparticipants:\n" + people.joined(separator: "\n")
      + (events.isEmpty ? "\n" : "\nevents: [ \(events.joined(separator: ", ")) ]\n")
    let path = recordings.folder.path("session.yaml")
    try Data(session.utf8).write(to: URL(fileURLWithPath: path))
    var request = try SceneRecordings.request(
      [path], layout: layout, width: width, height: height)
    request.call.speakerSource = .auto
    change(&request)
    return try SceneRecordings.plan(request)
  }

  @Test(arguments: ["flow:width=200,height=200", "mosaic:band=200"])
  func theCanvasFollowsTheSpeaker(layout: String) throws {
    let plan = try plan(4, layout: layout, speakers: [0, 3, 2])
    func whole(_ frame: Int) -> [SlotID] {
      plan.attributes(in: frame).filter { $0.frame.y >= 0 && $0.frame.maxY <= 300 }.map(\.id)
    }
    #expect(whole(20).contains(0) && whole(50).contains(3) && whole(85).contains(2))
    #expect(plan.notes.allSatisfy { !$0.contains("never seen") })
    #expect(plan.turns.map(\.participant.rawValue) == ["p0", "p3", "p2"])
  }

  @Test func contentThatFitsIsNotScrolled() throws {
    #expect(try plan(4, layout: "flow:width=100,height=100", speakers: [0]).turns.isEmpty)
    #expect(try plan(1, layout: "flow:width=200,height=400").turns.isEmpty)
  }

  @Test func participantsWhoAreNeverVisibleAreNoted() throws {
    func notes(
      _ count: Int, _ layout: String, change: (inout RenditionRequest) -> Void = { _ in }
    ) throws -> [String] {
      try plan(count, layout: layout, width: 375, height: 400, change: change).notes
        .filter { $0.contains("never seen") }
    }
    let all = "this layout shows only some participants at once; --size 375xauto shows all of them."
    #expect(
      try notes(30, "flow:width=110,height=110")
        == [
          "p8, p12 and 17 more are never seen, as this layout shows only some participants at once; "
            + "a grid shows more."
        ])
    #expect(
      try notes(14, "flow:width=110,height=110")
        == ["p8, p12 and p13 are never seen, as \(all)"])
    // No grid is advised to a call with a grid.
    #expect(
      try notes(30, "grid").map { $0.hasSuffix("; a higher --max-tiles shows more.") } == [true])
    // An intentional excess.
    #expect(
      try notes(30, "flow:width=110,height=110") { request in
        (request.rendition.maximumTiles, request.rendition.limitsTiles) = (9, true)
      }.isEmpty)
    #expect(
      try notes(30, "flow:width=110,height=110") { request in
        (request.rendition.maximumTiles, request.rendition.limitsTiles) = (14, true)
      } == ["p8 and p12 are never seen, as \(all)"])
    #expect(try notes(9, "flow:width=110,height=110").isEmpty)
    #expect(
      try notes(3, "flow:width=375,height=700") == ["p1 and p2 are never seen, as \(all)"])
    // Only the rendered part counts.
    let part = try plan(4, layout: "flow:width=200,height=200", speakers: [0, 3, 3]) {
      $0.rendition.from = MediaTime(seconds: 2)
    }
    #expect(part.notes.contains { $0.hasPrefix("p0 and p1 are never seen") })
    // Clips of one call repeat no names.
    #expect(
      try notes(3, "flow:width=375,height=700") { $0.rendition.partSource = "chapter 2" }
        == ["some participants of parts of the call are never seen, as \(all)"])
  }

  @Test func theOverflowCardCountsParticipantsOutOfView() throws {
    let plan = try plan(14, layout: "flow:width=110,height=110", width: 375, height: 400)
    let tile = try #require(plan.attributes(in: 10).first { $0.overflowCount > 0 })
    #expect(tile.overflowCount == 3)
    let content = try #require(plan.slots.last?.contents[10])
    #expect(content == .card(.several(["p8", "p12", "p13"].map { ParticipantID(rawValue: $0) })))
    let card = try #require(
      plan.look.cards[.several(["p8", "p12", "p13"].map(ParticipantID.init))])
    #expect(!card.art.steps.isEmpty)
  }

  /// A fade eases in and out like tiles, by a table.
  @Test(arguments: [
    (20, [2, 4, 8], [0.08, 0.33, 0.92]), (30, [0, 3, 6, 12], [0, 0.08, 0.33, 0.92]),
  ])
  func camerasFadeAsTilesMove(rate: Int, frames: [Int], shares: [Double]) throws {
    let plan = try plan(1, layout: "grid") {
      $0.rendition.output.video.frameRate = FrameRate(rate) ?? .thirty
    }
    let table = plan.output.contentShares
    #expect(table.count == rate / 2 && table == table.sorted() && table[0] == 0)
    for (frame, share) in zip(frames, shares) {
      #expect(abs(Double(table[frame]) / 255 - share) < 0.006, "\(frame)")
    }
  }

  /// Workers read finished states of a scrolling motion from the plan.
  @Test func workersReadTheStatesOfScrollingMotions() throws {
    let plan = try plan(6, layout: "prominent:width=100,height=100", speakers: [0, 4, 1])
    let decoded = try JSONDecoder().decode(Plan.self, from: JSONEncoder().encode(plan))
    #expect(decoded.scenes == plan.scenes)
    let (whole, part) = (
      plan.input(for: FrameSelection(plan.frames)).scenes,
      plan.input(for: FrameSelection(33..<40)).scenes
    )
    for frame in 30..<45 {
      #expect(whole[frame] == plan.attributes(in: frame))
      if (33..<40).contains(frame) { #expect(part[frame - 33] == whole[frame]) }
      let center = whole[frame].filter { $0.traits.contains(.center) }
      #expect(center.count == 1)
    }
  }
}
