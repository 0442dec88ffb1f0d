import TestSupport
import Testing

/// A call above the maximum duration is refused before rendering.
@Suite(.timed) struct LongestDurationTests {
  @Test func longVideosAreRefused() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, "ada.webm", seconds: 1)
    let (output, late) = (folder.path("call.mp4"), ["--offset", "ada=90000"])
    let refused = try TesseraTool.run(["render", clip, "-o", output] + late)
    #expect(refused.status == 2)
    #expect(refused.messages.contains("the video would be 25:00:01 long"), "\(refused.messages)")
    #expect(refused.messages.contains("ada leaves last"))
    #expect(folder.names == ["ada.webm"])
    let part = ["--from", "90000", "--size", "64x48"]
    let rendered = try TesseraTool.run(["render", clip, "-o", output] + late + part)
    #expect(rendered.status == 0, "\(rendered.messages)")
    let allowed = try TesseraTool.run(
      ["plan", clip, "-o", folder.path("plan.json"), "--max-duration", "26:00:00"] + late)
    #expect(allowed.status == 0, "\(allowed.messages)")
    let short = try TesseraTool.run(["render", clip, "-o", output, "--max-duration", "0.5"])
    #expect(short.status == 2)
  }
}
