import Foundation
import TestSupport
import Testing

@Suite(.timed) struct RenderCommandTests {
  @Test func aCompleteMovieIsRendered() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let (output, report) = (folder.path("out.mp4"), folder.path("report.json"))
    let result = try TesseraTool.run([
      "render", clip, clip, "-o", output, "--size", "640x360", "--title", "Weekly sync", "--report",
      report,
    ])
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.text.hasPrefix("\(output): 0:02, "))
    let probed = try Probed(output)
    #expect(probed.video?.codec_name == "h264" && probed.video?.profile == "High")
    #expect(probed.video?.width == 640 && probed.video?.height == 360)
    #expect(probed.video?.color_space == "bt709" && probed.video?.color_range == "tv")
    #expect(probed.audio?.codec_name == "aac")
    #expect(probed.format.tags?["title"] == "Weekly sync")
    #expect(probed.format.tags?["encoder"]?.hasPrefix("Tessera ") == true)
    let longest = try #require(probed.durations.max())
    let shortest = try #require(probed.durations.min())
    #expect(probed.durations.count == 3 && longest - shortest < 1.0 / 30)
    #expect(try Tool.ffmpeg(["-i", output, "-f", "null", "-"]).isEmpty)
    let written = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: report)))
    let inputs = (written as? [String: Any])?["inputs"] as? [[String: Any]]
    let pictures = inputs?.first?["pictures"] as? [String: Any]
    #expect(inputs?.count == 2 && pictures?["shown"] as? Int == 60)
    #expect(Set(folder.names) == ["a.webm", "out.mp4", "report.json"])
  }

  @Test func theIndexPrecedesTheMedia() throws {
    let folder = try TemporaryFolder()
    let output = folder.path("out.mp4")
    let clip = try TesseraTool.makeClip(folder)
    _ = try TesseraTool.run(["render", clip, "-o", output, "--size", "320x180"])
    let data = try Data(contentsOf: URL(fileURLWithPath: output))
    let index = try #require(data.range(of: Data("moov".utf8)))
    let media = try #require(data.range(of: Data("mdat".utf8)))
    #expect(index.lowerBound < media.lowerBound)
  }

  @Test func aPartHasItsOwnDuration() throws {
    let folder = try TemporaryFolder()
    let output = folder.path("out.mp4")
    let clip = try TesseraTool.makeClip(folder)
    let result = try TesseraTool.run([
      "render", clip, "-o", output, "--size", "320x180", "--from", "0.5", "--to", "1.5",
    ])
    #expect(result.status == 0)
    #expect(try Probed(output).video?.nb_frames == "30")
  }

  @Test(arguments: [
    ["render"], ["render", "-o", "x.mp4"], ["render", "a.webm"],
    ["render", "a.webm", "-o", "x.mp4", "--size", "1281x720"],
    ["render", "a.webm", "-o", "x.mp4", "--size", "big"],
    ["render", "a.webm", "-o", "x.mp4", "--fps", "0"],
    ["render", "a.webm", "-o", "x.mp4", "--layout", "gird"],
    ["render", "a.webm", "-o", "x.mp4", "--loudness", "-50"],
    ["render", "a.webm", "-o", "x.mp4", "--crf", "52"],
    ["render", "a.webm", "-o", "x.mp4", "--from", "1:99"],
    ["render", "a.webm", "-o", "x.mp4", "--no-such-option"],
    ["preview", "a.webm", "-o", "x.png"], ["preview", "a.webm", "--at", "1", "-o", "x.jpg"],
    ["no-such-command"],
  ])
  func badUsageExitsWithTwo(arguments: [String]) throws {
    let result = try TesseraTool.run(arguments)
    #expect(result.status == 2)
    #expect(!result.messages.isEmpty && result.text.isEmpty)
  }

  /// A time between the last frame's start and the end shows that frame.
  @Test func theLastMomentRenders() throws {
    let folder = try TemporaryFolder()
    let (clip, output) = (try TesseraTool.makeClip(folder), folder.path("x.mp4"))
    let options = ["--size", "64x64", "--from", "1.995"]
    let result = try TesseraTool.run(["render", clip, "-o", output] + options)
    #expect(result.status == 0, "\(result.messages)")
    #expect(try Probed(output).video?.nb_frames == "1")
  }

  /// A value may begin with a minus; the error is then about the value.
  @Test(arguments: [
    (["--from", "-3"], "--from cannot be \"-3\""), (["--gap", "-5"], "0 to 512"),
    (["--crf", "-1"], "0 to 51"), (["--loudness", "-50"], "--loudness"),
    (["--duck", "70"], "0 to 60"),
  ])
  func aNegativeValueIsAValue(options: [String], said: String) throws {
    let result = try TesseraTool.run(["render", "a.webm", "-o", "x.mp4"] + options)
    #expect(result.status == 2 && result.messages.contains(said), "\(result.messages)")
  }

  @Test func aMissingFileFails() throws {
    let folder = try TemporaryFolder()
    let result = try TesseraTool.run([
      "render", folder.path("missing.webm"), "-o", folder.path("x.mp4"),
    ])
    #expect(result.status == 1)
    #expect(result.messages.contains("missing.webm: No such file or directory"))
    #expect(folder.names.isEmpty)
  }

  @Test func everyKernelLevelMakesTheSameFile() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    var files: [Data] = []
    for level in ["c", "auto", "avx2", "avx512vnni", "avx512"] {
      let output = folder.path("\(level).mp4")
      let result = try TesseraTool.run([
        "render", clip, "-o", output, "--size", "320x180", "--cpu", level,
      ])
      if result.status == 2, result.messages.contains("this processor cannot") { continue }
      #expect(result.status == 0)
      files.append(try Data(contentsOf: URL(fileURLWithPath: output)))
    }
    #expect(files.count >= 2 && files.allSatisfy { $0 == files[0] })
  }

  @Test func aHundredParticipantsRender() throws {
    let folder = try TemporaryFolder()
    let clips = [
      try TesseraTool.makeClip(folder), try TesseraTool.makeClip(folder, "b.webm", seconds: 1),
    ]
    let inputs = (0..<100).map { clips[$0 % 2] }
    let output = folder.path("out.mp4")
    let result = try TesseraTool.run(["render"] + inputs + ["-o", output, "--size", "640x360"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try Probed(output).video?.nb_frames == "60")
  }
}
