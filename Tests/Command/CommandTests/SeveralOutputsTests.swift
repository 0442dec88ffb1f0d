import Foundation
import TestSupport
import Testing

/// Several outputs of one call in one command.
@Suite(.timed) struct SeveralOutputsTests {
  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test func eachFileEqualsASeparateRender() throws {
    let folder = try TemporaryFolder()
    let clips = [
      try TesseraTool.makeClip(folder, "ada.webm"), try TesseraTool.makeClip(folder, "ben.webm"),
    ]
    let main = ["--size", "320x180", "--crf", "40", "--preset", "ultrafast"]
    let also: [(name: String, options: String, alone: [String])] = [
      (
        "tall.mp4", ":size=90x160,layout=speaker,only=ada,title=\"Ada, Ben\"",
        [
          "--size", "90x160", "--crf", "40", "--preset", "ultrafast", "--layout", "speaker",
          "--only",
          "ada", "--title", "Ada, Ben",
        ]
      ),
      (
        "slow.mkv", ":fps=15,from=0.5,crf=30",
        [
          "--size", "320x180", "--crf", "30", "--preset", "ultrafast", "--fps", "15", "--from",
          "0.5",
        ]
      ),
      ("web.webm", ":size=160x90", ["--size", "160x90"]),
      ("sound.m4a", "", main),
    ]
    let report = folder.path("report.json")
    let result = try TesseraTool.run(
      ["render"] + clips + ["-o", folder.path("main.mp4"), "--report", report] + main
        + also.flatMap { ["--also", folder.path($0.name) + $0.options] })
    #expect(result.status == 0, "\(result.messages)")
    #expect(String(decoding: result.output, as: UTF8.self).split(separator: "\n").count == 5)
    for (name, _, options) in also {
      let alone = folder.path("alone-\(name)")
      let made = try TesseraTool.run(["render"] + clips + ["-o", alone] + options)
      #expect(made.status == 0, "\(made.messages)")
      #expect(try bytes(alone) == bytes(folder.path(name)), "\(name)")
    }
    struct Report: Decodable {
      var output: String
      var outputs: [OtherOutput]
      struct OtherOutput: Decodable { var output: String }
    }
    let read = try JSONDecoder().decode(Report.self, from: try bytes(report))
    #expect(read.output == folder.path("main.mp4"))
    #expect(read.outputs.map(\.output) == also.map { folder.path($0.name) })
  }

  @Test func outputsCanBeListedInFiles() throws {
    let folder = try TemporaryFolder()
    _ = try TesseraTool.makeClip(folder, "ada.webm", seconds: 1)
    try """
    version: 1
    participants: [ { id: ada, tracks: [ { file: ada.webm } ] } ]
    outputs: [ { file: small.mp4, size: 160x90, names: off } ]
    """.write(toFile: folder.path("session.yaml"), atomically: true, encoding: .utf8)
    try "- { file: \(folder.path("sound.m4a")), audio-bitrate: 64k, only: [ada] }"
      .write(toFile: folder.path("outputs.yaml"), atomically: true, encoding: .utf8)
    let result = try TesseraTool.run([
      "render", folder.path("session.yaml"), "-o", folder.path("main.mp4"), "--size", "320x180",
      "--outputs", folder.path("outputs.yaml"), "--progress", "json",
    ])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try Probed(folder.path("small.mp4")).video?.width == 160)
    #expect(try Probed(folder.path("sound.m4a")).video == nil)
    for line in result.messages.split(separator: "\n") {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    let plan = try TesseraTool.run([
      "plan", folder.path("session.yaml"), "-o", folder.path("plan.json"), "--explain",
    ])
    let text = String(decoding: plan.output, as: UTF8.self)
    #expect(text.contains("the main output") && text.contains("small.mp4"))
    let needs = try TesseraTool.run([
      "plan", folder.path("session.yaml"), "-o", folder.path("plan.json"), "--overwrite", "--json",
    ])
    let json = try #require(try JSONSerialization.jsonObject(with: needs.output) as? [String: Any])
    let seconds = try #require(json["segmentSeconds"] as? [Double])
    #expect(json["segments"] as? Int == seconds.count && seconds.allSatisfy { $0 > 0 })
    #expect((json["outputs"] as? [String])?.contains { $0.hasSuffix("small.mp4") } == true)
    #expect(json["hasSoundtrack"] as? Bool == true && (json["memoryBytes"] as? Int ?? 0) > 80 << 20)
  }

  @Test func invalidCombinationsAreRefused() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 1)
    for (also, words) in [
      ("b.mp4:siz=160x90", "did you mean \"size\"?"),
      ("b.mp4:offset=a=1", "offset describes the call"),
      ("b.mp4:jobs=3", "jobs is about the whole render"),
      ("b.mp4:size=1x1", "size takes sides"),
      ("b.mp4:fps=fast", "fps cannot be \"fast\""),
      ("main.mp4:fps=15", "main.mp4 is one of the inputs or another output"),
      ("a.webm:fps=15", "a.webm is one of the inputs or another output"),
      ("b.txt", "has no known ending"),
      ("b.mp4:title=\"open", "cannot be read: write file:option=value"),
    ] {
      let result = try TesseraTool.run([
        "render", clip, "-o", folder.path("main.mp4"), "--also", folder.path(also),
      ])
      #expect(result.status == 2 && result.messages.contains(words), "\(result.messages)")
    }
    #expect(folder.names == ["a.webm"])
  }

  @Test func oneFailureLeavesTheOtherOutputs() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 1)
    let result = try TesseraTool.run([
      "render", clip, "-o", folder.path("main.mp4"), "--size", "160x90", "--also",
      folder.path("b.mp4:preset=unheard-of"), "--also", folder.path("c.mp4:fps=15"),
    ])
    #expect(result.status == 1 && result.messages.contains("b.mp4 is not made"))
    #expect(try Probed(folder.path("c.mp4")).video != nil)
    #expect(try Probed(folder.path("main.mp4")).video != nil)
    #expect(!folder.names.contains("b.mp4"))
  }
}
