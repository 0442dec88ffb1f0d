import Foundation
import PlanningSupport
import TesseraCodecs
import TesseraLayout
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

/// Only visible tracks are opened and decoded.
@Suite(.timed) struct SparseDecodingTests {
  /// Writes a video file of `seconds` with a keyframe every 2 s, and links `names` to it.
  private static func make(
    _ names: [String], rate: Int, seconds: Int, in folder: TemporaryFolder
  ) throws {
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=\(rate):d=20", "-c:v", "libx264", "-preset",
      "ultrafast", "-g", "\(2 * rate)", "-sc_threshold", "0", folder.path("short.mp4"),
    ])
    try Tool.ffmpeg([
      "-stream_loop", "\(seconds / 20 - 1)", "-i", folder.path("short.mp4"), "-c", "copy",
      folder.path("source.mp4"),
    ])
    for name in names {
      try FileManager.default.linkItem(
        atPath: folder.path("source.mp4"), toPath: folder.path(name))
    }
  }

  private static func plan(
    _ names: [String], _ events: [CallEvent], layout: String, rate: Int, in folder: TemporaryFolder
  ) throws -> Plan {
    let people = names.map { Participant(id: $0, tracks: [Track(id: $0, file: $0)]) }
    let video = VideoEncoderSettings(
      size: PixelSize(width: 192, height: 108), frameRate: try #require(FrameRate(rate)))
    var request = RenditionRequest(
      ImportedCall(Recording(participants: people, events: events), root: folder.path),
      output: OutputFormat(video: video), layout: try LayoutCatalog.policy(layout))
    request.rendition.maximumTiles = 6
    request.call.speakerSource = .events
    return try request.plan()
  }

  /// Returns the number of pictures between each visible stretch's beginning and the keyframe
  /// before.
  private static func preroll(_ plan: Plan) -> Int {
    plan.tracks.reduce(0) { sum, track in
      let route = PictureSchedule(
        track.source, clock: track.clock, frameRate: plan.output.video.frameRate,
        0..<plan.frameCount)
      return plan.wantedFrames(ofTrack: track.id).reduce(sum) { sum, frames in
        let first = route.picture(shownIn: frames.lowerBound)
        return sum + first - (route.picture(of: route.start(toShow: first)) ?? 0)
      }
    }
  }

  /// Returns the number of open descriptors of this process for files in `folder`.
  private static func openCount(in folder: String) -> Int {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.count { number in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(number)")
      return target?.hasPrefix(folder) == true
    }
  }

  /// Sixty people and six tiles; the speaker changes every 2 s. Segments have 5 s, and their
  /// decoders continue.
  @Test func onlyVisiblePeopleOfSixtyAreOpen() throws {
    let folder = try TemporaryFolder()
    let names = (10..<70).map { "person\($0).mp4" }
    try Self.make(names, rate: 25, seconds: 20, in: folder)
    let events = (0..<10).map {
      CallEvent(MediaTime(seconds: 2 * $0), .speaking(names[7 * $0 % names.count]))
    }
    let plan = try Self.plan(names, events, layout: "speaker", rate: 30, in: folder)
    let root = FileOperations.realPath(folder.path) ?? folder.path
    var open = 0
    let member = PictureDecodePool.DecodeRequest(
      input: plan.input(for: FrameSelection(plan.frames)), frames: plan.cut,
      course: PictureFeed.Ranges(cuts: Array(stride(from: 150, to: plan.frameCount, by: 150))))
    let pool = PictureDecodePool([member], note: nil, cancellation: Cancellation())
    var renderer = FrameRenderer(
      member, number: 0, of: pool, kernels: PixelKernels(), cancellation: Cancellation())
    renderer.run { _, _ in open = max(open, Self.openCount(in: root)) }
    let decoded = pool.decodedCount
    let shown = renderer.reports.values.reduce(0) { $0 + $1.shown }
    #expect((6...12).contains(open))
    #expect(shown > 6 * 15 * 25)
    #expect(Double(decoded) <= 1.05 * Double(shown + Self.preroll(plan)))
  }

  /// A person who is visible for 10 s at each end of an hour costs no more than these 20 s.
  @Test func anInvisibleHourIsNotDecoded() throws {
    let folder = try TemporaryFolder()
    try Self.make(["a.mp4"], rate: 5, seconds: 3600, in: folder)
    let plan = try Self.plan(
      ["a.mp4"],
      [
        CallEvent(MediaTime(seconds: 10), .disabled("a.mp4", .camera)),
        CallEvent(MediaTime(seconds: 3590), .enabled("a.mp4", .camera)),
      ], layout: "grid", rate: 5, in: folder)
    let report = try #require(Rendered(plan, frames: 0..<plan.frameCount).reports.first)
    #expect(plan.frameCount == 3600 * 5)
    #expect((100...25 * 5).contains(report.decoded) && (100...110).contains(report.shown))
    #expect(report.isWhole)
  }
}
