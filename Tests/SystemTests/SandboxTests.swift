import Foundation
import Glibc
import TesseraSystem
import TestSupport
import Testing

@Suite struct SandboxTests {
  private func prepared() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["in", "work"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try Data("input".utf8).write(to: URL(fileURLWithPath: folder.path("in/a")))
    return folder
  }

  @Test(
    "What is not allowed is refused, and what is allowed works",
    .enabled(if: Sandbox.available.files > 0), arguments: ["open", "write", "memory"])
  func refusal(deed: String) throws {
    let folder = try prepared()
    let result = try HelperProgram.run("sandbox", folder.path, deed)
    #expect(result.text.contains("files true"), "\(result)")
    #expect(result.text.hasSuffix("refused\n"), "\(result)")
    #expect(FileManager.default.fileExists(atPath: folder.path("work/whole")))
  }

  @Test(
    "A call that no decoder has a reason for ends the process and is blamed on the track",
    .enabled(if: Sandbox.available.calls), arguments: ["connect", "exec"])
  func hostileCall(deed: String) throws {
    let folder = try prepared()
    let result = try HelperProgram.run("sandbox", folder.path, deed)
    #expect(result.status == -SIGSYS, "\(result)")
    #expect(result.text == "files true calls true\n")
    let blame = CrashNote.blame(at: folder.path("note"))
    #expect(blame?.track == 3 && blame?.time == 42)
  }

  @Test("A local socket is only refused", .enabled(if: Sandbox.available.calls))
  func localSocket() throws {
    let folder = try prepared()
    let result = try HelperProgram.run("sandbox", folder.path, "local")
    #expect(result.text.hasSuffix("refused\n"), "\(result)")
    #expect(folder.names.contains("note"))
  }
}
