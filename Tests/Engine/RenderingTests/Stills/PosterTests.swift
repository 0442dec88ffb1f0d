import Foundation
import PlanningSupport
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraRequest
import TesseraTimeline
import TestSupport
import Testing

/// The frame that represents a call.
@Suite(.timed) struct PosterTests {
  private let recordings: SceneRecordings

  init() throws { recordings = try SceneRecordings() }

  private func plan(_ change: (inout RenditionRequest) -> Void = { _ in }) throws -> Plan {
    var request = try SceneRecordings.request(recordings.all)
    change(&request)
    return try SceneRecordings.plan(request)
  }

  @Test(
    "Most people are visible and nothing moves: arrivals are complete, and departures have not begun"
  )
  func mostPeople() throws {
    let frame = try plan().posterFrame
    #expect((46..<60).contains(frame), "\(frame)")
  }

  @Test("No title covers the poster or fades over it")
  func titles() throws {
    let frame = try plan {
      $0.rendition.overlays.title = .init(
        text: "A call", length: MediaTime(nanoseconds: 1_900_000_000))
    }.posterFrame
    #expect((57..<60).contains(frame), "\(frame)")
    let late = try plan {
      $0.rendition.overlays.title = .init(
        text: "A call", length: MediaTime(nanoseconds: 2_100_000_000))
    }.posterFrame
    #expect(late > 75, "\(late)")
  }

  @Test("The poster is one of the rendered frames")
  func range() throws {
    let frame = try plan { $0.rendition.to = MediaTime(seconds: 1) }.posterFrame
    #expect((1..<30).contains(frame), "\(frame)")
  }

  @Test("A participant speaks in the poster's frame, even under a title if necessary")
  func speech() throws {
    func spoken(_ from: Int64, _ to: Int64, _ title: Int64? = nil) throws -> Int {
      func time(_ tenths: Int64) -> MediaTime { MediaTime(nanoseconds: tenths * 100_000_000) }
      var plan = try plan {
        if let title { $0.rendition.overlays.title = .init(text: "A call", length: time(title)) }
      }
      let id = try #require(plan.participants.first).id
      plan.turns = [
        Plan.Turn(participant: id, interval: TimeRange(start: time(from), end: time(to)))
      ]
      return plan.posterFrame
    }
    #expect((18..<27).contains(try spoken(6, 9)))
    #expect((18..<30).contains(try spoken(6, 10, 19)))
    #expect((57..<60).contains(try spoken(6, 20, 19)), "no title if there is another time")
    #expect((46..<60).contains(try spoken(0, 0)), "nobody speaks")
  }

  @Test("A title over the whole output may be on the poster")
  func covered() throws {
    let plan = try plan {
      $0.rendition.overlays.title = .init(text: "A call", length: MediaTime(seconds: 3))
    }
    #expect((46..<60).contains(plan.posterFrame))
  }

  @Test("The poster's extension decides its format")
  func files() throws {
    let folder = try TemporaryFolder()
    let plan = try plan()
    for (name, start) in [("a.jpg", [0xff, 0xd8]), ("a.png", [0x89, 0x50])] {
      _ = try StillRenderer(plan).writePoster(to: folder.path(name))
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
      #expect(bytes.prefix(2).map { Int($0) } == start)
    }
  }
}
