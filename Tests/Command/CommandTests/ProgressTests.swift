import Foundation
import TestSupport
import Testing

/// Progress of commands, for programs that watch them.
@Suite(.timed) struct ProgressTests {
  /// Returns the JSON objects on a command's standard error.
  private static func objects(of result: Tool.Result) throws -> [[String: Any]] {
    try result.messages.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any], "\(line)")
    }
  }

  @Test(
    "Each command that reads a call reports its phases and its end",
    arguments: [
      (["preview", "--at", "1", "--size", "160x96", "-o", "x.png"], ["reading", "drawing"]),
      (["timeline", "-o", "x.svg"], ["reading", "listening"]),
      (["inspect", "--levels"], ["reading", "listening"]),
      (["plan", "--loudness", "speech", "-o", "x.json"], ["reading", "listening"]),
    ])
  func phases(words: [String], phases: [String]) throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    var words = words + ["--progress", "json", clip]
    let output = words.firstIndex(of: "-o").map { index in
      words[index + 1] = folder.path(words[index + 1])
      return words[index + 1]
    }
    let result = try TesseraTool.run(words)
    #expect(result.status == 0, "\(result)")
    let objects = try Self.objects(of: result)
    let shown = objects.filter { $0["type"] as? String == "progress" }
    for phase in phases {
      let steps = shown.filter { $0["phase"] as? String == phase }
      #expect(steps.first?["done"] as? Int == 0 && steps.last?["done"] as? Int == 1, "\(steps)")
    }
    let last = try #require(objects.last)
    #expect(last["type"] as? String == "result" && last["phase"] as? String == "done")
    #expect(last["exit"] as? Int == 0 && last["output"] as? String == output)
  }

  @Test func unpackingAnArchiveIsReported() throws {
    let archive = try RecordingFolders.path("vonage.zip")
    let result = try TesseraTool.run(["inspect", archive, "--progress", "json"])
    let phases = try Self.objects(of: result).map { $0["phase"] as? String }
    #expect(phases.first == "unpacking" && phases.contains("reading"), "\(result)")
  }

  @Test func progressAsJSONIsOneObjectPerLine() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let result = try TesseraTool.run([
      "render", clip, "-o", folder.path("x.mp4"), "--size", "320x180", "--progress", "json",
    ])
    let objects = try Self.objects(of: result)
    #expect(objects.allSatisfy { $0["type"] != nil && $0["phase"] != nil }, "\(objects)")
    let phases = objects.compactMap { $0["phase"] as? String }
    #expect(phases.contains("reading") && phases.contains("pictures") && phases.contains("joining"))
    let progress = objects.filter { $0["type"] as? String == "progress" }
    #expect(progress.compactMap { $0["percent"] as? Double }.allSatisfy { $0 < 100 })
    #expect(progress.last?["frames"] as? Int == 60)
    let last = try #require(objects.last)
    #expect(last["type"] as? String == "result" && last["phase"] as? String == "done")
    #expect(last["exit"] as? Int == 0 && last["output"] as? String == folder.path("x.mp4"))
  }

  @Test(arguments: [["--fps", "0"], ["--background", "bleu"]])
  func theLastObjectHasTheReasonOfAFailure(options: [String]) throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let result = try TesseraTool.run(
      ["render", clip, "-o", folder.path("x.mp4"), "--progress", "json"] + options)
    let last = try Self.objects(of: result).last
    #expect(last?["type"] as? String == "result" && last?["exit"] as? Int == 2)
    #expect((last?["error"] as? String)?.contains(options[1]) == true)
  }
}
