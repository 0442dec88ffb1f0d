import PlanningSupport
import TesseraCodecs
import TesseraPixels
import TesseraPlan
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlanning

/// Each person's speaking time.
@Suite("Statistics of speech", .timed) struct SpeechStatisticsTests {
  private static func ranges(_ seconds: [(Int, Int)]) -> [TimeRange] {
    seconds.map {
      TimeRange(start: MediaTime(seconds: $0.0), end: MediaTime(seconds: $0.1))
    }
  }

  @Test("Times, shares, overlaps and silences are computed from each person's own voice")
  func statistics() throws {
    let folder = try TemporaryFolder()
    let input = try ImportedCall.open(
      [try RecordingFolders.path("vonage")], unpackFolder: folder.path("w"))
    let video = VideoEncoderSettings(size: PixelSize(width: 64, height: 36), frameRate: .thirty)
    var plan = try RenditionRequest(input, output: OutputFormat(video: video)).plan()
    try #require(plan.participants.count >= 2)
    plan.cut = FrameSelection(0..<300)
    for index in plan.participants.indices { plan.participants[index].speech = [] }
    plan.participants[0].speech = Self.ranges([(0, 3), (5, 6)])
    plan.participants[1].speech = Self.ranges([(2, 5)])
    plan.turns = [
      Plan.Turn(participant: plan.participants[0].id, interval: Self.ranges([(0, 2)])[0]),
      Plan.Turn(participant: plan.participants[1].id, interval: Self.ranges([(2, 5)])[0]),
      Plan.Turn(participant: plan.participants[0].id, interval: Self.ranges([(5, 9)])[0]),
    ]
    let found = SpeechStatistics(plan)
    #expect(found.people[0].seconds == 4 && found.people[1].seconds == 3)
    #expect(abs(found.people[0].share - 4.0 / 7) < 1e-9)
    #expect(found.people[0].turns == 2 && found.people[0].longestTurn == 4)
    #expect(found.people.prefix(2).map(\.overlapping) == [1, 1])
    #expect(found.overlaps.count == 1 && found.overlaps.seconds == 1)
    #expect(found.silences.count == 1)
    #expect(abs(found.silences.seconds - (found.duration - 6)) < 1e-6)
  }
}
