import TesseraCodecs
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// The source picture that each output frame shows.
@Suite(.timed) struct FrameChoiceTests {
  /// Writes a lossless recording whose picture n is one gray: 20 + 5 (n mod 40).
  private static func makeGreys(_ folder: TemporaryFolder, rate: String) throws -> String {
    let path = folder.path("greys.mkv")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "color=c=black:s=64x64:r=\(rate):d=6,format=yuv420p",
      "-vf", "geq=lum='20+5*mod(N,40)':cb=128:cr=128", "-c:v", "ffv1", path,
    ])
    return path
  }

  /// Returns the times of the pictures, and the numbers of the pictures that the frames show.
  private static func shown(
    _ path: String, rate: FrameRate
  ) throws -> (times: [ExactTime], shown: [Int?], report: PictureReport) {
    let plan = try Plan.small([path], width: 64, height: 64, rate: rate)
    let rendered = Rendered(plan, frames: 0..<plan.frameCount)
    let scan = try MediaFileInfo.scan(path, cancellation: Cancellation())
    let source = scan.pictures(try #require(scan.file.tracks(.video).first))
    let times = source.order.map { source.time(of: Int($0)) }
    let shown = (0..<plan.frameCount).map { frame in
      rendered.middles[frame].flatMap { $0 < 20 ? nil : Int($0 - 20) / 5 }
    }
    return (times, shown, rendered.reports[0])
  }

  /// Returns the picture by exact arithmetic: the last one with time < (frame + ½) / rate.
  private static func expected(_ times: [ExactTime], frame: Int, rate: FrameRate) -> Int? {
    let limit = ExactTime(
      Int128(2 * frame + 1) * Int128(rate.denominator), over: 2 * Int128(rate.numerator))
    return times.lastIndex { $0 < limit }
  }

  @Test(arguments: ["30", "25", "60", "15", "30000/1001", "10", "120"])
  func framesMatchExactArithmetic(sourceRate: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.makeGreys(folder, rate: sourceRate)
    let (times, shown, report) = try Self.shown(path, rate: .thirty)
    for (frame, number) in shown.enumerated() {
      let expected = Self.expected(times, frame: frame, rate: .thirty)
      #expect(number == expected.map { $0 % 40 }, "frame \(frame)")
    }
    #expect(report.isWhole && report.decoded >= times.count - 4)
  }

  @Test func thirtyAtThirtyShowsEveryPictureExactlyOnce() throws {
    let folder = try TemporaryFolder()
    let (times, shown, report) = try Self.shown(
      try Self.makeGreys(folder, rate: "30"), rate: .thirty)
    #expect(shown == times.indices.map { $0 % 40 })
    #expect(report.shown == times.count)
  }

  @Test(
    .enabled(if: SharedMedia.isPresent, "\(SharedMedia.absence)"),
    arguments: [
      "clean/webcam_640x480_vp8_opus_firefox.webm", "edge/vfr_chrome57_mediarecorder_vp8_opus.webm",
      "edge/derived_vfr_lossy_2s_freeze_vp8_opus.webm", "clean/person_640x360_50_h264_noaudio.mp4",
    ])
  func realVariableRates(name: String) throws {
    let path = SharedMedia.path(name)
    let plan = try Plan.small([path])
    let frames = 0..<plan.frameCount
    let report = try #require(Rendered(plan, frames: frames).reports.first)
    let scan = try MediaFileInfo.scan(path, cancellation: Cancellation())
    let clock = try #require(scan.file.tracks(.video).first?.clock)
    // Not every packet contains a displayable picture, so the times are those of ffmpeg's frames.
    let probed = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts", "-of", "csv=p=0",
        path,
      ])
    let ticks = probed.text.split(whereSeparator: { !$0.isNumber && $0 != "-" }).compactMap {
      Int64($0)
    }
    let times = ticks.sorted().map { clock.time(ticks: $0) }
    let wanted = Set(frames.compactMap { Self.expected(times, frame: $0, rate: .thirty) })
    #expect(report.shown == wanted.count)
  }

  @Test func aGapHoldsTheLastPicture() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("gap.mkv")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "color=c=black:s=64x64:r=30:d=3,format=yuv420p",
      "-vf", "geq=lum='20+5*mod(N,40)':cb=128:cr=128,select='not(between(n,30,59))'",
      "-vsync", "passthrough", "-c:v", "ffv1", path,
    ])
    let plan = try Plan.small([path], width: 64, height: 64)
    let middles = Rendered(plan, frames: 0..<plan.frameCount).middles
    #expect((29..<60).allSatisfy { middles[$0] == UInt8(20 + 5 * 29) })
    #expect(middles[60] == UInt8(20 + 5 * (60 % 40)))
  }
}
