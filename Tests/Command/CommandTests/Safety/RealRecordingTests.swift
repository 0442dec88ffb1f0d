import Foundation
import TestSupport
import Testing

/// Renders of all real, difficult and hostile recordings.
@Suite(.timed, .enabled(if: SharedMedia.isPresent, "\(SharedMedia.absence)"))
struct RealRecordingTests {
  private static func check(_ output: String) throws {
    let probed = try Probed(output)
    let longest = try #require(probed.durations.max())
    let shortest = try #require(probed.durations.min())
    #expect(probed.durations.count == 3 && longest - shortest < 1.0 / 30, "\(probed.durations)")
    #expect(
      try Tool.run("ffmpeg", ["-v", "error", "-i", output, "-f", "null", "-"]).messages == "")
  }

  @Test(arguments: SharedMedia.all("clean") + SharedMedia.all("edge"))
  func eachRecordingRendersAlone(path: String) throws {
    let folder = try TemporaryFolder()
    let output = folder.path("out.mp4")
    let result = try TesseraTool.run(["render", path, "-o", output, "--size", "320x180"])
    guard !path.hasSuffix(".yuv") else {
      #expect(result.status == 1 && result.messages.contains("is not a media file"))
      return
    }
    #expect(result.status == 0 || result.status == 3, "\(result.messages)")
    try Self.check(output)
  }

  @Test func allCleanRecordingsRenderTogether() throws {
    let folder = try TemporaryFolder()
    let output = folder.path("out.mp4")
    let people = SharedMedia.all("clean")
    let result = try TesseraTool.run(["render"] + people + ["-o", output, "--size", "1280x720"])
    #expect(result.status == 3)
    #expect(result.messages.contains("i420.yuv is not a media file"))
    try Self.check(output)
  }

  @Test(arguments: SharedMedia.all("hostile"))
  func hostileFilesNeitherCrashNorSpoilTheCall(path: String) throws {
    let folder = try TemporaryFolder()
    let output = folder.path("out.mp4")
    let good = try TesseraTool.makeClip(folder, seconds: 1)
    let options = ["-o", output, "--size", "320x180"]
    let alone = try TesseraTool.run(["render", path] + options)
    #expect([0, 1, 3].contains(alone.status), "\(alone.messages)")
    if alone.status == 1 {
      #expect(alone.messages.hasPrefix("error: ") && alone.messages.contains(path))
      #expect(alone.messages.split(separator: "\n").count == 1)
    }
    let beside = try TesseraTool.run(["render", good, path] + options)
    #expect(beside.status == (alone.status == 0 ? 0 : 3), "\(beside.messages)")
    try Self.check(output)
  }
}
