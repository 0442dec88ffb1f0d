import Foundation
import TestSupport
import Testing

@Suite("Exit codes for schedulers", .timed) struct ExitCodeTests {
  private static let small = ["--size", "64x36", "--fps", "5", "--progress", "none"]

  private func render(
    _ inputs: [String], _ output: String, _ options: [String] = [],
    meanwhile: (Process) -> Void = { _ in }
  ) throws -> Tool.Result {
    try TesseraTool.run(
      ["render"] + inputs + ["-o", output] + Self.small + options, meanwhile: meanwhile)
  }

  @Test("0 without losses, 3 with losses, 0 if the losses are accepted")
  func losses() throws {
    let folder = try TemporaryFolder()
    let (clip, output) = (try TesseraTool.makeClip(folder, seconds: 1), folder.path("out.mp4"))
    #expect(try render([clip], output).status == 0)
    let missing = [clip, folder.path("missing.webm"), "--allow-missing"]
    #expect(try render(missing, output).status == 3)
    let accepted = try render(missing, output, ["--accept-losses", "--progress", "json"])
    #expect(accepted.status == 0 && accepted.messages.contains(#""exit":0"#), "\(accepted)")
    #expect(accepted.messages.contains("missing.webm"))
  }

  @Test("1 for a permanent failure, 2 for a wrong command line")
  func failures() throws {
    let folder = try TemporaryFolder()
    let text = folder.path("a.webm")
    try Data("no recording".utf8).write(to: URL(fileURLWithPath: text))
    #expect(try render([text], folder.path("out.mp4")).status == 1)
    #expect(try render([text], folder.path("out.mp4"), ["--fps", "0"]).status == 2)
  }

  @Test("75 if another render writes the same output")
  func another() throws {
    let folder = try TemporaryFolder()
    let (clip, output) = (try TesseraTool.makeClip(folder, seconds: 1), folder.path("out.mp4"))
    let work = "\(output).tessera"
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    let lock = unsafe open("\(work)/lock", O_RDWR | O_CREAT, 0o666)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX) == 0)
    let result = try render([clip], output)
    #expect(result.status == 75 && result.messages.contains("another render works in"))
  }

  @Test(
    "75 after SIGTERM, 130 after SIGINT",
    arguments: [
      (SIGTERM, Int32(75)), (SIGINT, Int32(130)),
    ])
  func stopped(signal: Int32, status: Int32) throws {
    let folder = try TemporaryFolder()
    let (clip, output) = (try TesseraTool.makeClip(folder, seconds: 6), folder.path("out.mp4"))
    let result = try render([clip], output, ["--size", "1280x720", "--fps", "240"]) { process in
      let plan = "\(output).tessera/plan.json"
      while process.isRunning, !FileManager.default.fileExists(atPath: plan) { usleep(5_000) }
      kill(process.processIdentifier, signal)
    }
    #expect(result.status == status, "\(result)")
    #expect(!folder.names.contains("out.mp4"))
  }

  @Test(
    "The help of the program and of render explains each code",
    arguments: [
      ["--help"], ["help", "render"],
    ])
  func help(words: [String]) throws {
    let text = try TesseraTool.run(words).text
    for code in ["0", "1", "2", "3", "75", "130"] {
      #expect(text.contains("\n  \(code) ") || text.contains("\n    \(code) "), "\(text)")
    }
  }
}
