import PlanningSupport
import TesseraCodecs
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraSoundtrack
import TesseraTimeline
import TestSupport
import Testing

/// Several recorders' segmented files of one call give one and the same plan.
@Suite("A call in segments", .timed) struct SegmentedCallTests {
  private static func plan(_ format: String) throws -> Plan {
    let folder = try TemporaryFolder()
    let input = try ImportedCall.open(
      [try RecordingFolders.path(format)], unpackFolder: folder.path("w"))
    let video = VideoEncoderSettings(
      size: PixelSize(width: 640, height: 360), frameRate: .thirty)
    return try RenditionRequest(input, output: OutputFormat(video: video)).plan()
  }

  @Test("A playlist without an end tag is noted", arguments: [true, false])
  func end(hasEnd: Bool) throws {
    let folder = try TemporaryFolder()
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=10:d=2", "-c:v", "libx264", "-f", "hls"]
        + (hasEnd ? [] : ["-hls_flags", "omit_endlist"]) + [folder.path("ada.m3u8")])
    let input = try ImportedCall.open([folder.path("ada.m3u8")])
    let video = VideoEncoderSettings(size: PixelSize(width: 64, height: 36), frameRate: .thirty)
    let notes = try RenditionRequest(input, output: OutputFormat(video: video)).plan().notes
    #expect(notes.contains { $0.contains("ada.m3u8: its playlist has no end") } == !hasEnd)
  }

  @Test(
    "Pictures and sound begin and end at their times, in every format",
    arguments: ["livekit-files", "livekit-segments", "agora-segments", "trtc", "ivs", "recall"])
  func times(format: String) throws {
    let plan = try Self.plan(format)
    // Thirty frames per second; a screen's last picture stays.
    let frames = plan.tracks.map(\.frames).sorted { $0.lowerBound < $1.lowerBound }
    #expect(frames.count == 5)
    for (frames, (start, end)) in zip(
      frames, [(0, 180), (15, 195), (30, 90), (60, 240), (120, 180)])
    {
      #expect(abs(frames.lowerBound - start) <= 1 && abs(frames.upperBound - end) <= 3, "\(frames)")
    }
    let voices = plan.voices.map(\.source.interval).sorted { $0.start < $1.start }
    #expect(voices.count == 4)
    for (interval, start) in zip(voices, [0, 0.5, 1, 4.0]) {
      #expect(abs(interval.start.seconds - start) < 0.02, "\(interval)")
    }
    #expect(plan.losses.isEmpty, "\(plan.losses.map(\.sentence))")
  }
}
