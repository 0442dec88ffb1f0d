import Foundation
import Glibc
import TesseraSystem
import TestSupport
import Testing

@Suite(.timed) struct SandboxTests {
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
    "Forbidden operations are refused, and permitted ones work",
    .enabled(if: Sandbox.available.files > 0), arguments: ["open", "write", "memory"])
  func refusal(deed: String) throws {
    let folder = try prepared()
    let result = try HelperProgram.run("sandbox", folder.path, deed)
    #expect(result.text.contains("files true"), "\(result)")
    #expect(result.text.hasSuffix("refused\n"), "\(result)")
    #expect(FileManager.default.fileExists(atPath: folder.path("work/whole")))
  }

  @Test(
    "A system call that no decoder needs ends the process, and the track is blamed",
    .enabled(if: Sandbox.available.calls), arguments: ["connect", "exec", "unshare"])
  func hostileCall(deed: String) throws {
    let folder = try prepared()
    let result = try HelperProgram.run("sandbox", folder.path, deed)
    #expect(result.status == -SIGSYS, "\(result)")
    #expect(result.text == "files true calls true\n")
    let blame = CrashNote.blame(at: folder.path("note"))
    #expect(blame?.track == 3 && blame?.time == 42)
  }

  @Test(
    "A worker cannot change, read or pass on foreign resources, and has no privileges",
    .enabled(if: Sandbox.available.files > 0 && Sandbox.available.calls))
  func probe() throws {
    let folder = try prepared()
    let helper = "'\(HelperProgram.path)' sandbox '\(folder.path)' probe"
    let script = "exec 9</etc/passwd; TESSERA_SECRET=key exec \(helper)"
    let result = try Tool.run("bash", ["-c", script])
    #expect(result.status == 0, "\(result)")
    #expect(result.text == "files true calls true\n", "\(result)")
  }

  @Test("Workers get no environment variables that may be secrets or load code")
  func environment() {
    let kept = WorkerEnvironment.kept(of: [
      "PATH": "/bin", "LC_ALL": "C", "LD_PRELOAD": "/lib/x.so", "AWS_SECRET_ACCESS_KEY": "key",
      "SWIFT_BACKTRACE": "enable=yes",
    ])
    #expect(kept == ["PATH": "/bin", "LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no"])
  }

  @Test(
    "A local socket is refused without ending the process", .enabled(if: Sandbox.available.calls))
  func localSocket() throws {
    let folder = try prepared()
    let result = try HelperProgram.run("sandbox", folder.path, "local")
    #expect(result.text.hasSuffix("refused\n"), "\(result)")
    #expect(folder.names.contains("note"))
  }
}
