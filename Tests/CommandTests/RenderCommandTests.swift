import Foundation
import TestSupport
import Testing

@Suite struct RenderCommandTests {
  @Test func makesACompleteMovie() throws {
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

  @Test func whoCannotBeSeenIsNamed() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let (style, output, report) = (
      folder.path("style.css"), folder.path("out.mp4"), folder.path("report.json")
    )
    try "stream { width: 100%; height: 100% }".write(
      toFile: style, atomically: true, encoding: .utf8)
    func render(_ count: Int, _ options: String...) throws -> Tool.Result {
      try TesseraTool.run(
        ["render"] + Array(repeating: clip, count: count) + ["-o", output, "--size", "320x180"]
          + options)
    }
    let loss = "\(clip): the layout has no place for it on the canvas, so that it is not seen from "
    let strict = try render(2, "--layout", style, "--strict")
    #expect(strict.status == 1 && strict.messages.contains(loss))
    #expect(!folder.names.contains("out.mp4"))
    let lossy = try render(2, "--layout", style)
    #expect(lossy.status == 3 && lossy.messages.contains("warning: \(loss)0:00.0 to 0:02.0"))
    let noted = try render(8, "--layout", "pip", "--strict", "--report", report)
    let note = "are never seen: this layout shows only some at once"
    #expect(noted.status == 0 && noted.messages.contains(note))
    #expect(try String(contentsOfFile: report, encoding: .utf8).contains(note))
  }

  @Test func theIndexStandsInFront() throws {
    let folder = try TemporaryFolder()
    let output = folder.path("out.mp4")
    let clip = try TesseraTool.makeClip(folder)
    _ = try TesseraTool.run(["render", clip, "-o", output, "--size", "320x180"])
    let data = try Data(contentsOf: URL(fileURLWithPath: output))
    let index = try #require(data.range(of: Data("moov".utf8)))
    let media = try #require(data.range(of: Data("mdat".utf8)))
    #expect(index.lowerBound < media.lowerBound)
  }

  @Test func aPartHasItsOwnLength() throws {
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

  @Test func soundThatIsNotMixedIsNoted() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    let tones = [440, 880].flatMap { ["-f", "lavfi", "-i", "sine=frequency=\($0):duration=1"] }
    try Tool.ffmpeg(tones + ["-map", "0", "-map", "1", "-c:a", "aac", path])
    let result = try TesseraTool.run(
      ["render", path, "-o", folder.path("x.mp4"), "--size", "64x64"])
    #expect(result.status == 0)
    #expect(result.messages.contains("only stream 0 is mixed, not stream 1"))
  }

  /// Between the last frame's beginning and the end there is still that frame.
  @Test func theLastMomentRenders() throws {
    let folder = try TemporaryFolder()
    let (clip, output) = (try TesseraTool.makeClip(folder), folder.path("x.mp4"))
    let options = ["--size", "64x64", "--from", "1.995"]
    let result = try TesseraTool.run(["render", clip, "-o", output] + options)
    #expect(result.status == 0, "\(result.messages)")
    #expect(try Probed(output).video?.nb_frames == "1")
  }

  /// As long as file systems allow.
  @Test func aLongNameIsKept() throws {
    let folder = try TemporaryFolder()
    let output = folder.path(String(repeating: "é", count: 125) + ".mp4")
    let result = try TesseraTool.run(
      ["render", try TesseraTool.makeClip(folder), "-o", output, "--size", "64x64", "--to", "0.5"])
    #expect(result.status == 0 && FileManager.default.fileExists(atPath: output))
  }

  /// A value may begin with a minus; what is said is then about the value.
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

  @Test func aLossIsNamedAndTheRestIsRendered() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let bad = folder.path("bad.mp4")
    try Data("<html>403</html>".utf8).write(to: URL(fileURLWithPath: bad))
    let output = folder.path("x.mp4")
    let arguments = ["render", clip, bad, "-o", output, "--size", "320x180"]
    let result = try TesseraTool.run(arguments)
    #expect(result.status == 3)
    #expect(result.messages.contains("warning: ") && result.messages.contains("bad.mp4"))
    #expect(try Probed(output).video?.nb_frames == "60")
    try FileManager.default.removeItem(atPath: output)
    let strict = try TesseraTool.run(arguments + ["--strict"])
    #expect(strict.status == 1 && strict.messages.contains("bad.mp4"))
    #expect(Set(folder.names) == ["a.webm", "bad.mp4"])
  }

  @Test func timesThatGoBackEndTheRenderAndAreNamed() throws {
    let folder = try TemporaryFolder()
    let (ordered, path) = (folder.path("a.mkv"), folder.path("b.mkv"))
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-c:v", "libx264", "-bf", "3", ordered,
    ])
    // Presentation times become those of decoding, and a second is left out.
    try Tool.ffmpeg([
      "-i", ordered, "-c", "copy", "-bsf:v", "setts=ts='TS+if(gte(TS,2000),1000,0)'", path,
    ])
    let result = try TesseraTool.run([
      "render", path, "-o", folder.path("out.mp4"), "--size", "320x180",
    ])
    #expect(result.status == 3)
    #expect(result.messages.contains("\(path): ") && result.messages.contains("times go back"))
  }

  @Test func aClockThatLeapsIsNoted() throws {
    let folder = try TemporaryFolder()
    let (clip, path) = (try TesseraTool.makeClip(folder, "a.mkv"), folder.path("b.mkv"))
    try Tool.ffmpeg([
      "-i", clip, "-c", "copy", "-bsf", "setts=ts='TS+if(gte(TS,1000),900000,0)'", path,
    ])
    let arguments = ["render", path, "-o", folder.path("out.mp4"), "--size", "64x36", "--to"]
    let words = "note: \(path): it holds nothing from 0:00 to 15:0"
    let result = try TesseraTool.run(arguments + ["0:03"])
    #expect(result.status == 0 && result.messages.contains(words), "\(result.messages)")
    #expect(try !TesseraTool.run(arguments + ["0:00.5"]).messages.contains("holds nothing"))
  }

  @Test func theOutputMustNotBeAnInput() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: clip))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.mp4"), withDestinationPath: clip)
    let result = try TesseraTool.run(["render", clip, "-o", folder.path("link.mp4")])
    #expect(result.status == 2 && result.messages.contains("one of the inputs"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: clip)) == before)
  }

  @Test func noOutputReplacesWhatIsReadOrWritten() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, "a.mkv")
    let before = try Data(contentsOf: URL(fileURLWithPath: clip))
    let (style, output) = (folder.path("style.css"), folder.path("out.mp4"))
    try "stream { left: 0 }".write(toFile: style, atomically: true, encoding: .utf8)
    for report in [clip, style, output, folder.path("./out.mp4")] {
      let result = try TesseraTool.run([
        "render", clip, "-o", output, "--layout", style, "--report", report,
      ])
      #expect(result.status == 2 && result.messages.contains("or another output"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: clip)) == before)
    #expect(Set(folder.names) == ["a.mkv", "style.css"])
  }

  @Test func whatCannotBeWrittenIsSaidBeforeRendering() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let pipe = folder.path("pipe.mp4")
    #expect(try Tool.run("mkfifo", [pipe]).status == 0)
    for (arguments, status, words) in [
      (["-o", pipe], Int32(1), "a device or a pipe"),
      (["-o", folder.path("out.avi")], 2, ".mp4"),
      (["-o", folder.path("out")], 2, ".mp4"),
      (["-o", folder.path("out.mp4"), "--report", ""], 2, "has no name"),
      (["-o", folder.path("out.mp4"), "--report", "/nowhere/report.json"], 1, "does not exist"),
      (["-o", folder.path("out.mp4"), "--encoder", "nothing"], 2, "choose another encoder"),
    ] {
      let result = try TesseraTool.run(["render", clip] + arguments)
      #expect(result.status == status && result.messages.contains(words), "\(result.messages)")
    }
    #expect(Set(folder.names).subtracting(["out.mp4.tessera"]) == ["a.webm", "pipe.mp4"])
  }

  @Test func aBeginningWithoutItsKeyframeIsALoss() throws {
    let folder = try TemporaryFolder()
    let (whole, path) = (folder.path("whole.mkv"), folder.path("late.mkv"))
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3", "-c:v", "libx264", "-bf", "0", "-g",
      "25", "-sc_threshold", "0", whole,
    ])
    try Tool.ffmpeg(["-i", whole, "-c", "copy", "-bsf:v", "noise=drop='lt(n,1)'", path])
    let words = "\(path): its first 0.900 s of pictures cannot be shown"
    let arguments = ["render", path, "-o", folder.path("out.mp4"), "--size", "320x180"]
    let result = try TesseraTool.run(arguments)
    #expect(result.status == 3 && result.messages.contains(words), "\(result.messages)")
    let strict = try TesseraTool.run(arguments + ["--strict"])
    #expect(strict.status == 1 && strict.messages.contains(words))
    #expect(try TesseraTool.run(["inspect", path]).text.contains(words))
  }

  @Test func anInterruptLeavesTheEarlierOutput() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 60)
    let output = folder.path("out.mp4")
    try Data("earlier".utf8).write(to: URL(fileURLWithPath: output))
    let arguments = ["render", clip, "-o", output, "--preset", "slow", "--overwrite"]
    let result = try TesseraTool.run(arguments) { process in
      while process.isRunning, !folder.names.contains(where: { $0.hasSuffix(".tessera") }) {
        Thread.sleep(forTimeInterval: 0.01)
      }
      process.interrupt()
    }
    #expect(result.status == 130)
    #expect(result.messages.contains("stopped"))
    // What is finished stays for the next try.
    #expect(Set(folder.names).subtracting(["out.mp4.tessera"]) == ["a.webm", "out.mp4"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == Data("earlier".utf8))
  }

  @Test func aFullDiskIsSaidAndTheEarlierOutputStays() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 4)
    let output = folder.path("out.mp4")
    try Data("earlier".utf8).write(to: URL(fileURLWithPath: output))
    // A limit on the size of files fails the same writes as a full disk does.
    let result = try Tool.run(
      "bash",
      [
        "-c", "ulimit -f 100; exec \"$0\" \"$@\"", TesseraTool.path, "render", clip, "-o", output,
        "--crf", "5", "--overwrite",
      ])
    #expect(result.status == 1)
    #expect(result.messages.contains("is full"))
    // What is finished stays for the next try.
    #expect(Set(folder.names).subtracting(["out.mp4.tessera"]) == ["a.webm", "out.mp4"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == Data("earlier".utf8))
  }

  @Test func progressAsJSONIsOneObjectALine() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let result = try TesseraTool.run([
      "render", clip, "-o", folder.path("x.mp4"), "--size", "320x180", "--progress", "json",
    ])
    let lines = result.messages.split(separator: "\n")
    let objects = try lines.map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    #expect(objects.allSatisfy { $0?["type"] != nil && $0?["phase"] != nil }, "\(objects)")
    let phases = objects.compactMap { $0?["phase"] as? String }
    #expect(phases.contains("reading") && phases.contains("pictures") && phases.contains("joining"))
    let progress = objects.compactMap { $0 }.filter { $0["type"] as? String == "progress" }
    #expect(progress.compactMap { $0["percent"] as? Double }.allSatisfy { $0 < 100 })
    #expect(progress.last?["frames"] as? Int == 60)
    let last = try #require(objects.last ?? nil)
    #expect(last["type"] as? String == "result" && last["phase"] as? String == "done")
    #expect(last["exit"] as? Int == 0 && last["output"] as? String == folder.path("x.mp4"))
  }

  @Test(arguments: [["--fps", "0"], ["--background", "bleu"]])
  func theLastObjectSaysWhyNothingWasMade(options: [String]) throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let result = try TesseraTool.run(
      ["render", clip, "-o", folder.path("x.mp4"), "--progress", "json"] + options)
    let line = try #require(result.messages.split(separator: "\n").last)
    let last = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(last?["type"] as? String == "result" && last?["exit"] as? Int == 2)
    #expect((last?["error"] as? String)?.contains(options[1]) == true)
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
