import Foundation
import PlanningSupport
import TesseraCaptions
import TesseraCodecs
import TesseraLayout
import TesseraLettering
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
@testable import TesseraRendering

/// A cut call equals the call without the cut parts.
@Suite("Cuts", .timed) struct CutTests {
  private static let recordings = Result { try SceneRecordings() }

  private static func seconds(_ seconds: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64(seconds * 1e9))
  }

  /// Returns random parts of three seconds.
  private static func list(_ random: inout SplitMix64) -> KeptRanges {
    let times = (0..<2 * Int.random(in: 1...4, using: &random)).map { _ in
      MediaTime(nanoseconds: Int64.random(in: 0..<3_000_000_000, using: &random))
    }.sorted()
    let ranges = stride(from: 0, to: times.count, by: 2).map {
      TimeRange(start: times[$0], end: times[$0 + 1])
    }
    return Bool.random(using: &random) ? KeptRanges(keeping: ranges) : KeptRanges(cutting: ranges)
  }

  @Test(
    "Each canvas equals its frame of the whole call",
    arguments: ["24", "25", "30000/1001", "30", "60"], ["grid", "speaker"])
  func canvases(rate: String, layout: String) throws {
    let recordings = try Self.recordings.get()
    var request = try SceneRecordings.request(recordings.all, layout: layout)
    request.rendition.output.video.frameRate = try #require(FrameRate(rate))
    let plan = try SceneRecordings.plan(request)
    let whole = Rendered(plan, frames: 0..<plan.frameCount).digests
    var random = SplitMix64(seed: 0xc07)
    for _ in 0..<20 {
      request.rendition.cut = Self.list(&random)
      guard let cut = try? SceneRecordings.plan(request) else { continue }
      let digests = Rendered(cut, cut.cut).digests
      #expect(digests.count == cut.cut.count)
      // Tiles that move in the whole call are at rest at the beginning of an output.
      let rate = cut.output.video.frameRate
      let start = rate.time(ofFrame: cut.cut.lowerBound)
      let settled = cut.cut.filter {
        rate.time(ofFrame: $0) - start >= cut.scenes.transition.duration
      }
      #expect(settled.allSatisfy { digests[$0] == whole[$0] }, "\(cut.cut.ranges)")
    }
  }

  private static let call = Result { () throws -> (TemporaryFolder, Plan) in
    let folder = try TemporaryFolder()
    let rate = try #require(FrameRate("10"))
    return (folder, try Plan.small(try HardCall.make(folder), width: 160, height: 96, rate: rate))
  }

  /// Returns the hard call with 11 of every 37 frames cut.
  private func cutCall() throws -> Plan {
    var plan = try Self.call.get().1
    let holes = stride(from: 20, to: plan.frameCount - 20, by: 37).map { $0..<$0 + 11 }
    plan.cut = FrameSelection([0..<plan.frameCount].flatMap { [$0] }.subtracting(holes))
    return plan
  }

  @Test("One worker and four render the same bytes, with the kept duration")
  func workers() throws {
    let plan = try cutCall()
    let folder = try TemporaryFolder()
    #expect(RenditionPlan(plan).segments.count >= 3)
    let files = try [1, 4].map { jobs in
      var settings = RenderSettings()
      settings.jobs = jobs
      let path = folder.path("\(jobs).mp4")
      let report = try Renderer(plan, settings: settings).render(to: path)
      #expect(report.frameCount == plan.cut.count)
      #expect(report.cuts?.count == plan.cut.ranges.count - 1)
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
    #expect(files[0] == files[1])
    let count = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries",
        "stream=nb_read_packets", "-of", "csv=p=0", folder.path("1.mp4"),
      ])
    #expect(count.text.hasPrefix("\(plan.cut.count)"))
  }

  @Test("Moving an early cut leaves later pieces unchanged")
  func pieces() throws {
    var plan = try Self.call.get().1
    plan.cut = FrameSelection([0..<30, 40..<plan.frameCount])
    let before = RenditionPlan(plan)
    plan.cut = FrameSelection([0..<33, 43..<plan.frameCount])
    let moved = RenditionPlan(plan)
    #expect(before.segments.count >= 4)
    #expect(before.segments == moved.segments)
    let same = zip(before.digests, moved.digests).filter { $0 == $1 }.count
    #expect(before.segments.count - same <= 2)
    plan.cut = FrameSelection([0..<30, 47..<plan.frameCount])
    let longer = RenditionPlan(plan)
    #expect(Set(before.digests).subtracting(longer.digests).count <= 3)
  }

  @Test("Segments are contiguous, and no joint overlaps another")
  func joints() throws {
    let plan = try cutCall()
    let rendition = RenditionPlan(plan)
    var end = 0
    for number in rendition.segments.indices {
      #expect(rendition.segments[number].lowerBound == end)
      end = rendition.segments[number].upperBound
      #expect(
        rendition.joint(before: number).upperBound <= rendition.joint(before: number + 1).lowerBound
      )
    }
    #expect(end == plan.cut.count)
  }

  @Test("Captions, chapters, turns and lines move with their frames")
  func times() throws {
    var plan = try Self.call.get().1
    let id = try #require(plan.participants.first).id
    let range = { TimeRange(start: Self.seconds($0), end: Self.seconds($1)) }
    plan.turns = [(1.0, 2.0), (2.5, 3.5), (6.2, 6.8), (7.0, 9.0)].map {
      Plan.Turn(participant: id, interval: range($0, $1))
    }
    plan.lines = plan.turns.map {
      Plan.TranscriptLine(participant: id, speaker: nil, interval: $0.interval, text: "words")
    }
    // Seconds 3 to 4 and 6 to 8 are cut.
    plan.cut = FrameSelection([0..<30, 40..<60, 80..<plan.frameCount])
    #expect(
      plan.transcript.lines.map { [$0.from.seconds, $0.to.seconds] }
        == [[1, 2], [2.5, 3], [5, 6]])
    #expect(plan.turnsText(for: "turns.vtt", name: "").components(separatedBy: "-->").count == 4)
    for index in plan.participants.indices { plan.participants[index].name = "Ada" }
    for index in 0..<2 {
      plan.participants[index].speech = [(1.0, 2.0), (1.5, 3.5), (7.0, 9.0)].map { range($0, $1) }
    }
    plan.mutes = [Plan.Turn(participant: id, interval: range(1.25, 1.5))]
    let record = plan.speakerRecord("call")
    plan.mutes = []
    #expect(
      record.speech.filter { $0.person == "Ada" }.map { [$0.start.seconds, $0.end.seconds] }
        == [[1, 1.25], [1.5, 3], [5, 6]])
    #expect(
      record.speech.filter { $0.person == "Ada (2)" }.map { [$0.start.seconds, $0.end.seconds] }
        == [[1, 3], [5, 6]])
    #expect(record.floor.map(\.start.seconds) == [1, 2.5, 5])
    #expect(record.words.map(\.text) == ["words", "words", "words"])
    var track = CaptionTrack.transcript(language: nil, title: nil)
    track.cues = []
    plan.output.captions = []
    plan.addCaptions([track])
    #expect(
      plan.output.captions.first?.cues.map { [$0.start, $0.end] }
        == [[1000, 2000], [2500, 3000], [5000, 6000]])
    // Of two marks that begin in a cut, the later one moves to the splice; none is past the end.
    let marks = [(0.0, "a"), (3.2, "b"), (3.8, "c"), (8.5, "d"), (999, "e")].map {
      ChapterFileReader.ChapterMark(Self.seconds($0), $1)
    }
    let own = plan.chapters(marks)
    #expect(own.map(\.title) == ["a", "c", "d"] && own.map(\.start.seconds) == [0, 3, 5.5])
    let chapters = plan.chapters()
    #expect(chapters.allSatisfy { $0.start < plan.duration })
  }

  @Test("A title starts at the output's beginning, even if the call is cut there")
  func title() throws {
    let recordings = try Self.recordings.get()
    var request = try SceneRecordings.request(recordings.all)
    request.rendition.overlays.title = OverlayRequest.TitleCard(
      text: "Weekly sync", length: Self.seconds(0.5))
    let plain = try SceneRecordings.plan(request)
    request.rendition.from = Self.seconds(1)
    request.rendition.cut = KeptRanges(cutting: [
      TimeRange(start: Self.seconds(1.2), end: Self.seconds(2))
    ])
    let plan = try SceneRecordings.plan(request)
    let title = try #require(plan.look.overlays.first { $0.fill != nil })
    #expect(title.from == plan.times.call(.zero) && title.from.seconds == 1)
    #expect(plan.times.output(title.to).seconds == 0.5)
    #expect(plain.look.overlays.first { $0.fill != nil }?.from == .zero)
  }

  @Test("Cuts of everything and cuts past the end are errors")
  func refusals() throws {
    let recordings = try Self.recordings.get()
    var request = try SceneRecordings.request(recordings.all)
    for (list, words) in [
      (KeptRanges(cutting: [TimeRange(start: .zero, end: Self.seconds(60))]), "nothing is left"),
      (
        KeptRanges(keeping: [TimeRange(start: Self.seconds(50), end: Self.seconds(60))]),
        "past the end"
      ),
      (KeptRanges(keeping: []), "nothing is left of the call"),
    ] {
      request.rendition.cut = list
      let error = #expect(throws: RenderError.self) { try SceneRecordings.plan(request) }
      #expect(error?.message.contains(words) == true)
    }
  }
}
