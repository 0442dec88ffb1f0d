import Foundation
import TestSupport
import Testing

/// Unread standard streams, and other refusals of the system.
@Suite(.timed) struct StreamTests {
  /// Runs `command`, a shell line with `tessera` for the program, and returns its output.
  private func shell(_ command: String, in folder: TemporaryFolder) throws -> Tool.Result {
    let setUp =
      "cd '\(folder.path(""))'; set -o pipefail; tessera() { '\(TesseraTool.path)' \"$@\"; }"
    return try Tool.run("bash", ["-c", "\(setUp); \(command)"])
  }

  private func files(in folder: TemporaryFolder) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path("")))
  }

  @Test(arguments: ["2>/dev/full", "2>&1 | head -1", ">/dev/full", "2>&-"])
  func aRenderContinuesWithoutReaders(streams: String) throws {
    let folder = try TemporaryFolder()
    _ = try TesseraTool.makeClip(folder, seconds: 1)
    let result = try shell(
      "tessera render a.webm --size 64x36 --progress json -o b.mp4 \(streams)", in: folder)
    #expect(result.status == 0)
    #expect(try files(in: folder) == ["a.webm", "b.mp4"])
  }

  @Test func anAnswerThatCannotBeWrittenIsAFailure() throws {
    let folder = try TemporaryFolder()
    _ = try TesseraTool.makeClip(folder, seconds: 1)
    for command in ["inspect a.webm", "inspect a.webm --json", "layout grid --count 9 --json"] {
      let full = try shell("tessera \(command) >/dev/full", in: folder)
      #expect(full.status == 1)
      #expect(full.messages.contains("cannot write the result to the standard output"))
      let unread = try shell("tessera \(command) | true", in: folder)
      #expect(unread.status != 132 && unread.messages.isEmpty)
    }
  }

  /// A limit of the system is not blamed on the recordings, which would be lost otherwise.
  @Test func tooFewOpenFilesEndTheRender() throws {
    let folder = try TemporaryFolder()
    _ = try TesseraTool.makeClip(folder, seconds: 1)
    let copies = (1...24).map { "a\($0).webm" }
    for copy in copies {
      try FileManager.default.copyItem(atPath: folder.path("a.webm"), toPath: folder.path(copy))
    }
    let command =
      "tessera render \(copies.joined(separator: " ")) --size 64x36 --progress none -o b.mp4"
    let result = try shell("ulimit -n 20; \(command)", in: folder)
    #expect(result.status == 1 && result.messages.contains("Too many open files"))
    #expect(!result.messages.contains("fetch the recording again"))
    #expect(try !files(in: folder).contains("b.mp4"))
    // A process raises its own soft limit.
    #expect(try shell("ulimit -Sn 20; \(command)", in: folder).status == 0)
  }

  @Test func namesCannotControlTheTerminal() throws {
    let folder = try TemporaryFolder()
    let name = "a\n\u{1B}[31m.webm"
    try Data("no recording".utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    let result = try TesseraTool.run(["inspect", folder.path(name)])
    #expect(result.status == 1)
    #expect(result.messages.contains("a\\n\\u{1B}[31m.webm"))
    #expect(
      !result.messages.contains("\u{1B}") && result.messages.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    (["--crf", "52"], "--crf takes 0 to 51 for libx264"),
    (["--encoder", "libx265", "--crf", "60"], "--crf takes 0 to 51 for libx265"),
    (["--preset", ""], "--preset is empty"), (["--max-tiles", "0"], "--max-tiles takes 1 to 1000"),
  ])
  func optionsAreCheckedBeforeInputsAreRead(options: [String], words: String) throws {
    let result = try TesseraTool.run(["render", "a.webm", "-o", "b.mp4"] + options)
    #expect(result.status == 2 && result.messages.contains(words))
  }

  @Test func systemErrorsAreQuoted() throws {
    let folder = try TemporaryFolder()
    let missing = try TesseraTool.run(["layout", folder.path("a.css"), "--json"])
    #expect(missing.status == 2 && missing.messages.contains("No such file or directory"))
    let full = try shell(
      "(ulimit -f 0; tessera layout grid -o a.svg) 2>&1 | cat", in: folder)
    #expect(full.status == 1 && full.text.contains("File too large"), "\(full)")
    #expect(try files(in: folder).isEmpty)
  }

  @Test func anOptionWithoutEffectIsNoted() throws {
    let note = "note: --max-tiles has no effect"
    let command = ["layout", "--count", "9", "--json", "--max-tiles", "4"]
    #expect(try TesseraTool.run(command + ["pip"]).messages.contains(note))
    #expect(try !TesseraTool.run(command + ["grid"]).messages.contains(note))
  }
}
