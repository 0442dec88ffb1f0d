import Foundation
import TestSupport
import Testing

/// A render reports its losses and omissions.
@Suite(.timed) struct RenderLossTests {
  @Test func invisibleParticipantsAreReported() throws {
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
    let loss = "\(clip): the layout has no place for it on the canvas, so it is not seen from "
    let strict = try render(2, "--layout", style, "--strict")
    #expect(strict.status == 1 && strict.messages.contains(loss))
    #expect(!folder.names.contains("out.mp4"))
    let lossy = try render(2, "--layout", style)
    #expect(lossy.status == 3 && lossy.messages.contains("warning: \(loss)0:00.0 to 0:02.0"))
    let noted = try render(8, "--layout", "pip", "--strict", "--report", report)
    let note = "are never seen, as this layout shows only some participants at once"
    #expect(noted.status == 0 && noted.messages.contains(note))
    #expect(try String(contentsOfFile: report, encoding: .utf8).contains(note))
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

  @Test func decreasingTimestampsEndTheRenderWithAReport() throws {
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

  @Test func timestampJumpsAreNoted() throws {
    let folder = try TemporaryFolder()
    let (clip, path) = (try TesseraTool.makeClip(folder, "a.mkv"), folder.path("b.mkv"))
    try Tool.ffmpeg([
      "-i", clip, "-c", "copy", "-bsf", "setts=ts='TS+if(gte(TS,1000),900000,0)'", path,
    ])
    let arguments = ["render", path, "-o", folder.path("out.mp4"), "--size", "64x36", "--to"]
    let words = "note: \(path): it has no data from 0:00 to 15:0"
    let result = try TesseraTool.run(arguments + ["0:03"])
    #expect(result.status == 0 && result.messages.contains(words), "\(result.messages)")
    #expect(try !TesseraTool.run(arguments + ["0:00.5"]).messages.contains("has no data"))
  }

  @Test func missingLeadingKeyframesAreALoss() throws {
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
}
