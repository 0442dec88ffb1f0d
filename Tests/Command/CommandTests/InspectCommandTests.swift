import Foundation
import TestSupport
import Testing

@Suite(.timed) struct InspectCommandTests {
  @Test func theContentsOfARecordingAreListed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3", "-f", "lavfi", "-i",
      "sine=sample_rate=44100:d=3", "-c:v", "libx264", "-g", "25", "-vf", "setsar=4/3", "-ac", "1",
      path,
    ])
    let result = try TesseraTool.run(["inspect", path, "--json"])
    #expect(result.status == 0)
    let reports =
      try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]] ?? []
    let recording = try #require(reports.first?["recording"] as? [String: Any])
    let video = try #require((recording["video"] as? [[String: Any]])?.first)
    let audio = try #require((recording["audio"] as? [[String: Any]])?.first)
    let intervals = try #require(video["intervals"] as? [String: Any])
    #expect(video["codec"] as? String == "h264" && video["packetCount"] as? Int == 75)
    #expect(video["keyframeCount"] as? Int == 3)
    #expect(intervals["isConstant"] as? Bool == true && intervals["median"] as? Double == 0.04)
    #expect(audio["sampleRate"] as? Int == 44100 && audio["channels"] as? Int == 1)
    let ratio = video["sampleAspectRatio"] as? [String: Any]
    #expect(ratio?["numerator"] as? Int == 4 && ratio?["denominator"] as? Int == 3)
    let text = try TesseraTool.run(["inspect", path]).text
    #expect(text.contains("h264 320x180, sample aspect ratio 4:3"))
    #expect(text.contains("constant rate, 25.00 a second"))
  }

  /// A screen shared at one picture per second has a gap only where the interval is unusual.
  @Test func onlyUnusualIntervalsAreGaps() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("slides.mkv")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=1:d=20", "-vf", "select=not(between(n\\,5\\,9))",
      "-vsync", "vfr", "-c:v", "libx264", "-bf", "0", path,
    ])
    let text = try TesseraTool.run(["inspect", path]).text
    #expect(text.contains("gap of 6.000 s at 4.000 s"), "\(text)")
    #expect(text.contains("gaps of more than half a second: 1, the longest of 6"), "\(text)")
  }

  @Test func driftOfSoundAgainstPicturesIsReported() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("drift.mkv")
    // Each packet's timestamp runs 1500 ppm late relative to its samples.
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=40", "-f", "lavfi", "-i",
      "sine=sample_rate=48000:d=40,asetnsamples=n=960", "-c:v", "libx264", "-c:a", "pcm_s16le",
      "-bsf:a", "setts=ts=PTS*1.0015", path,
    ])
    let text = try TesseraTool.run(["inspect", path]).text
    #expect(text.contains("its clock 1500 ppm slow"), "\(text)")
    #expect(text.contains("sound runs 1500 ppm fast against the pictures, by 0.06"), "\(text)")
  }

  @Test func anUnreadableFileFails() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    try Data("#EXTM3U\nfile:///etc/hostname\n".utf8).write(to: URL(fileURLWithPath: path))
    let result = try TesseraTool.run(["inspect", path])
    #expect(result.status == 1 && result.text.isEmpty)
    #expect(result.messages.contains("is not a media file"))
  }
}
