import Foundation
import TestSupport
import Testing

/// The files that a render writes, and those that it never replaces.
@Suite(.timed) struct RenderOutputTests {
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

  @Test func noOutputReplacesAnInputOrAnotherOutput() throws {
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

  @Test func unwritableOutputsAreReportedBeforeRendering() throws {
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
    // Finished pieces stay for the next attempt.
    #expect(Set(folder.names).subtracting(["out.mp4.tessera"]) == ["a.webm", "out.mp4"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == Data("earlier".utf8))
  }

  @Test func aFullDiskIsReportedAndTheEarlierOutputStays() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 4)
    let output = folder.path("out.mp4")
    try Data("earlier".utf8).write(to: URL(fileURLWithPath: output))
    // A file size limit fails the same writes as a full disk.
    let result = try Tool.run(
      "bash",
      [
        "-c", "ulimit -f 100; exec \"$0\" \"$@\"", TesseraTool.path, "render", clip, "-o", output,
        "--crf", "5", "--overwrite",
      ])
    #expect(result.status == 75)
    #expect(result.messages.contains("is full"))
    // Finished pieces stay for the next attempt.
    #expect(Set(folder.names).subtracting(["out.mp4.tessera"]) == ["a.webm", "out.mp4"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == Data("earlier".utf8))
  }

  /// As long as file systems allow.
  @Test func aLongNameIsKept() throws {
    let folder = try TemporaryFolder()
    let output = folder.path(String(repeating: "é", count: 125) + ".mp4")
    let result = try TesseraTool.run(
      ["render", try TesseraTool.makeClip(folder), "-o", output, "--size", "64x64", "--to", "0.5"])
    #expect(result.status == 0 && FileManager.default.fileExists(atPath: output))
  }
}
