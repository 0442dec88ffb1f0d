import Foundation
import TestSupport
import Testing

@Suite("Stopped renders", .timed) struct StoppedRenderTests {
  /// Runs a render that receives a signal as soon as its first output exists.
  private func stopped(
    _ folder: TemporaryFolder, _ words: [String], _ signal: CInt = SIGTERM
  ) throws -> Tool.Result {
    let clip = try TesseraTool.makeClip(folder, seconds: 4)
    return try TesseraTool.run(
      ["render", clip, "-o", folder.path("a.mp4"), "--size", "64x36", "--progress", "none"] + words
    ) { process in
      while process.isRunning, !folder.names.contains("a.mp4") { usleep(1_000) }
      kill(process.processIdentifier, signal)
    }
  }

  @Test("Finished outputs are reported", arguments: [SIGTERM, SIGINT])
  func outputs(signal: CInt) throws {
    let folder = try TemporaryFolder()
    let also = ["b.mp4:fps=5", "c.m4a", "thumbs:every=0.1"].flatMap { ["--also", folder.path($0)] }
    let report = ["--report", folder.path("report.json")]
    let result = try stopped(folder, also + report, signal)
    #expect(result.status == (signal == SIGTERM ? 75 : 130), "\(result)")
    let names = ["a.mp4", "b.mp4", "c.m4a"].map(folder.path)
    #expect(
      result.messages.contains("end, after writing \(names.joined(separator: ", ")), "),
      "\(result)")
    #expect(!result.messages.contains("nothing was written"))
    #expect(Set(folder.names).isSuperset(of: ["a.mp4", "b.mp4", "c.m4a", "report.json"]))
    #expect(!folder.names.contains("thumbs"))
    // The report lists the existing outputs.
    let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("report.json")))
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    #expect(object?["error"] == nil && object?["output"] as? String == names[0])
  }

  @Test("A page whose pictures are missing is not written")
  func page() throws {
    let folder = try TemporaryFolder()
    let result = try stopped(folder, ["--page", folder.path("a.html")])
    #expect(result.status == 75, "\(result)")
    #expect(result.messages.contains("end, after writing \(folder.path("a.mp4"))."), "\(result)")
    #expect(!folder.names.contains("a.html"))
  }
}
