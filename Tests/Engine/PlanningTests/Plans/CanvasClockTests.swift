import Foundation
import PlanningSupport
import TesseraCodecs
import TesseraLayout
import TesseraMessages
import TesseraPixels
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning

@Suite(.timed) struct CanvasClockTests {
  private static func time(_ seconds: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64(seconds * 1e9))
  }

  private static func texts(_ times: CanvasClock, _ seconds: [Double]) -> [String] {
    seconds.map { times.text(ofSecond: times.second(at: time($0))) }
  }

  @Test func theClockCountsFromTheBeginning() {
    #expect(Self.texts(CanvasClock(), [0, 0.999, 1, 61.5]) == ["0:00", "0:00", "0:01", "1:01"])
  }

  @Test func theWallClockShowsTheTimeOfDay() {
    var times = CanvasClock(start: Self.time(86398.5), isTimeOfDay: true)
    #expect(Self.texts(times, [0, 0.5, 1.5]) == ["23:59:58", "23:59:59", "00:00:00"])
    times.start = Self.time(-0.5)
    #expect(Self.texts(times, [0, 0.5]) == ["23:59:59", "00:00:00"])
  }

  @Test(arguments: [
    (0, "UTC"), (120, "UTC+2"), (-210, "UTC-3:30"), (545, "UTC+9:05"),
  ])
  func zonesHaveNames(zone: Int, text: String) {
    #expect(OverlayRequest.ClockKind.wall(zone: zone).zoneText == text)
    #expect(OverlayRequest.ClockKind.call.zoneText.isEmpty)
  }

  /// Returns the plan of two people; the second one comes after a minute in which the call was
  /// empty.
  private static func plan(
    _ clock: OverlayRequest.ClockKind, startedAt: Bool = true, from: Double? = nil
  ) throws -> Plan {
    let recordings = try SceneRecordings()
    let people = ["stays", "comes"].enumerated().map { number, name in
      "{ id: \(name), tracks: [{ file: \(name).mkv, kind: camera, start: \(number * 63) }] }"
    }
    let path = recordings.folder.path("session.yaml")
    let text =
      "version: 1\n" + (startedAt ? "started-at: 2026-03-01T23:59:30Z\n" : "")
      + "participants: [\(people.joined(separator: ", "))]\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    var request = try SceneRecordings.request([path])
    request.call.trimsIdle = true
    request.rendition.overlays.clock = clock
    request.rendition.from = from.map(time)
    return try SceneRecordings.plan(request)
  }

  private static func shown(_ plan: Plan, _ seconds: [Double]) throws -> [String] {
    texts(try #require(plan.look.clock).times, seconds)
  }

  @Test func theCallClockJumpsAcrossTrimmedIdleTime() throws {
    let plan = try Self.plan(.call)
    #expect(plan.cut.count < 30 * 6)
    let shown = { (plan: Plan, seconds: [Double]) in
      try Self.shown(plan, seconds.map { plan.times.call(Self.time($0)).seconds })
    }
    #expect(try shown(plan, [0, 2.9, 3, 4]) == ["0:00", "0:02", "1:03", "1:04"])
    #expect(try shown(Self.plan(.call, from: 2), [0, 1]) == ["0:02", "1:03"])
    let wall = try Self.plan(.wall(zone: 60))
    #expect(try shown(wall, [0, 2, 3]) == ["00:59:30", "00:59:32", "01:00:33"])
  }

  @Test func aWallClockNeedsAKnownStartTime() throws {
    let error = #expect(throws: RenderError.self) {
      try Self.plan(.wall(zone: 0), startedAt: false)
    }
    #expect(error?.commandLine.contains("--clock call") == true)
  }
}
