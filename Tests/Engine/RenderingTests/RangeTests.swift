import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraTimeline
import TestSupport
import Testing

/// A range or single frames have the same canvases as a full render.
@Suite(.timed) struct RangeTests {
  private static let seed: UInt64 = 0x7e55_e7a0

  private static func compareRanges(of inputs: [String], count: Int) throws {
    let plan = try Plan.small(inputs)
    let whole = Rendered(plan, frames: 0..<plan.frameCount)
    #expect(whole.digests.count == plan.frameCount)
    var random = SplitMix64(seed: seed)
    for _ in 0..<count {
      let first = Int.random(in: 0..<plan.frameCount, using: &random)
      let length = Int.random(in: 1...12, using: &random)
      let frames = first..<min(plan.frameCount, first + length)
      let part = Rendered(plan, frames: frames)
      for frame in frames {
        #expect(part.digests[frame] == whole.digests[frame], "frame \(frame) of \(frames)")
      }
    }
    let single = (0..<7).map { _ in Int.random(in: 0..<plan.frameCount, using: &random) }
    let part = Rendered(plan, FrameSelection(single))
    #expect(part.digests.keys.sorted() == Set(single).sorted())
    for frame in single {
      #expect(part.digests[frame] == whole.digests[frame], "frame \(frame) of \(single)")
    }
  }

  /// B-frames, sparse keyframes, with and without an index in the container.
  @Test(arguments: [
    ("a.mp4", ["-c:v", "libx264", "-g", "24", "-bf", "3"]),
    ("a.mkv", ["-c:v", "libx264", "-g", "24", "-bf", "2", "-x264-params", "open-gop=1"]),
    ("a.webm", ["-c:v", "libvpx", "-g", "20", "-deadline", "realtime", "-cpu-used", "8"]),
    ("live.webm", ["-c:v", "libvpx-vp9", "-g", "20", "-cpu-used", "8", "-live", "1"]),
    ("a.flv", ["-c:v", "libx264", "-g", "24"]),
    ("a.ivf", ["-c:v", "libvpx", "-g", "20", "-deadline", "realtime", "-cpu-used", "8"]),
    ("a.264", ["-c:v", "libx264", "-g", "24", "-bf", "0"]),
    ("a.ogv", ["-c:v", "libtheora", "-g", "16"]),
    ("a.y4m", ["-pix_fmt", "yuv420p"]),
  ])
  func everyContainer(name: String, options: [String]) throws {
    let folder = try TemporaryFolder()
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=176x144:r=25:d=4"] + options + [folder.path(name)])
    try Self.compareRanges(of: [folder.path(name)], count: 6)
  }

  /// Single frames are decoded from the keyframes before them, in order and without repeats: a
  /// keyframe every 12 pictures, or only the first.
  @Test(arguments: [(12, 4 * 12), (250, 93)])
  func singleFramesDecodeNoMoreThanTheyNeed(keyframes: Int, most: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mkv")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=176x144:r=30:d=5", "-c:v", "libvpx", "-g", "\(keyframes)",
      "-deadline", "realtime", "-cpu-used", "8", path,
    ])
    let plan = try Plan.small([path])
    let report = try #require(Rendered(plan, FrameSelection([2, 30, 60, 90])).reports.first)
    #expect(report.shown == 4 && report.decoded <= most && report.isWhole)
  }

  /// If the keyframe before a single frame is damaged, decoding starts further back.
  @Test func singleFramesGoBackBehindADamagedKeyframe() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mkv")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=176x144:r=30:d=5", "-c:v", "libx264", "-g", "30", "-bf", "0",
      "-x264-params", "scenecut=0", "-bsf:v", "noise=amount=if(eq(n\\,90)\\,1\\,0)", path,
    ])
    let plan = try Plan.small([path])
    let whole = Rendered(plan, frames: 0..<plan.frameCount)
    let single = [20, 92, 95, 130]
    let part = Rendered(plan, FrameSelection(single))
    for frame in single { #expect(part.digests[frame] == whole.digests[frame], "frame \(frame)") }
  }

  @Test(.enabled(if: SharedMedia.isPresent, "\(SharedMedia.absence)"))
  func realRecordings() throws {
    let names = [
      "clean/webcam_640x480_vp8_opus_firefox.webm", "clean/selfie_1080x720_30_av1_aac.mp4",
      "edge/derived_interlaced_tff_720x576i25_sar64-45.mp4",
      "edge/derived_reschange_webcam_720-360-180-540_vp8_opus.webm",
      "edge/av_offset_video_starts_0.85s.mp4", "edge/rotate-90_480x272_h264_aac_phone.mp4",
    ]
    try Self.compareRanges(of: names.map(SharedMedia.path), count: 8)
  }
}
