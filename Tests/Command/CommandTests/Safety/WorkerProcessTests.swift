import Foundation
import Glibc
import TestSupport
import Testing

/// Renders with worker processes, some of which are killed.
@Suite(.timed) struct WorkerProcessTests {
  private static let call = Result { () throws -> (TemporaryFolder, [String], Data) in
    let folder = try TemporaryFolder()
    let inputs = try HardCall.make(folder)
    let output = folder.path("reference.mp4")
    let result = try TesseraTool.run(
      ["render"] + inputs + small + ["-o", output, "--executor", "threads", "--jobs", "1"])
    guard result.status == 3 else { throw Failure(messages: result.messages) }
    return (folder, inputs, try Data(contentsOf: URL(fileURLWithPath: output)))
  }

  private struct Failure: Error { var messages: String }

  private static let small = ["--size", "160x96", "--fps", "10", "--progress", "none"]

  /// Returns the child processes of `process` that work on its plan.
  private func children(of process: Int32) throws -> [pid_t] {
    try Tool.run("pgrep", ["-P", "\(process)", "-f", " worker ..render"]).text.split(
      separator: "\n"
    ).compactMap {
      pid_t($0)
    }
  }

  /// Waits until `process`, which `env` has become, has workers.
  private func workers(of process: Process) throws -> [pid_t] {
    while process.isRunning {
      let found = try children(of: process.processIdentifier)
      if !found.isEmpty { return found }
      usleep(5_000)
    }
    return []
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test("Processes render the bytes of threads, even if one of them is killed")
  func killedWorker() throws {
    let (_, inputs, reference) = try Self.call.get()
    let folder = try TemporaryFolder()
    let output = folder.path("out.mp4")
    let result = try TesseraTool.run(
      ["render"] + inputs + Self.small + ["-o", output, "--jobs", "2"]
    ) { process in
      for worker in (try? workers(of: process)) ?? [] { kill(worker, SIGKILL) }
    }
    #expect(result.status == 3, "\(result)")
    #expect(try bytes(output) == reference)
    #expect(folder.names == ["out.mp4"])
  }

  @Test("A killed render leaves no process behind, and a new one continues its work")
  func killedParent() throws {
    let (_, inputs, reference) = try Self.call.get()
    let folder = try TemporaryFolder()
    let output = folder.path("out.mp4")
    let arguments = ["render"] + inputs + Self.small + ["-o", output, "--jobs", "2"]
    var left: [pid_t] = []
    for delay in [UInt32(20_000), 300_000] {
      _ = try TesseraTool.run(arguments) { process in
        left += (try? workers(of: process)) ?? []
        usleep(delay)
        kill(process.processIdentifier, SIGKILL)
      }
    }
    #expect(!left.isEmpty)
    for worker in left {
      while kill(worker, 0) == 0 { usleep(5_000) }
    }
    // A run that is killed while it joins cannot remove its temporary file.
    #expect(folder.names.filter { !$0.hasSuffix(".part") } == ["out.mp4.tessera"])
    #expect(try TesseraTool.run(arguments).status == 3)
    #expect(try bytes(output) == reference)
  }

  @Test("Ctrl-C stops all workers and keeps finished pieces")
  func interrupt() throws {
    let (_, inputs, _) = try Self.call.get()
    let folder = try TemporaryFolder()
    let output = folder.path("out.mp4")
    var left: [pid_t] = []
    let result = try TesseraTool.run(
      ["render"] + inputs + Self.small + ["-o", output, "--jobs", "1"]
    ) { process in
      left = (try? workers(of: process)) ?? []
      kill(process.processIdentifier, SIGINT)
    }
    #expect(result.status == 130, "\(result)")
    #expect(left.allSatisfy { kill($0, 0) != 0 })
    #expect(folder.names == ["out.mp4.tessera"])
  }

  @Test("Separate commands for plan, segments, sound and stitch render the same bytes")
  func commands() throws {
    let (home, inputs, reference) = try Self.call.get()
    let folder = try TemporaryFolder()
    let (plan, work) = (folder.path("plan.json"), folder.path("work"))
    let planned = try TesseraTool.run(
      ["plan"] + inputs + Array(Self.small.prefix(4)) + ["-o", plan, "--explain"])
    #expect(planned.status == 0 || planned.status == 3, "\(planned)")
    #expect(planned.text.contains("segment") && planned.text.contains("work folder"))
    let last = planned.text.split(separator: "\n").count { $0.first?.isNumber == true } - 1
    #expect(last >= 3)
    for words in [
      ["segment", plan, "--work-dir", work, "--index", "2-\(last)", "--root", home.path],
      ["segment", plan, "--work-dir", work, "--index", "0-1"],
      ["soundtrack", plan, "--work-dir", work],
    ] {
      let result = try TesseraTool.run(words)
      #expect(result.status == 0, "\(result)")
    }
    let output = folder.path("out.mp4")
    let result = try TesseraTool.run(["stitch", plan, "--work-dir", work, "-o", output])
    #expect(result.status == 3, "\(result)")
    #expect(try bytes(output) == reference)
    let outside = try TesseraTool.run(
      ["segment", plan, "--work-dir", folder.path("other"), "--index", "0", "--root", folder.path])
    #expect(outside.status == 1 && outside.messages.contains("cannot open"), "\(outside)")
    let beyond = try TesseraTool.run(["segment", plan, "--work-dir", work, "--index", "99"])
    #expect(beyond.status == 2 && beyond.messages.contains("segments 0 to"), "\(beyond)")
  }

  @Test("Standard error has only JSON, and a failed render has a report")
  func operations() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let output = folder.path("out.mp4")
    let result = try TesseraTool.run([
      "render", clip, folder.path("none.webm"), "-o", output, "--size", "160x96", "--progress",
      "json", "--report", "-",
    ])
    #expect(result.status == 1)
    #expect(result.text.contains("\"error\"") && result.text.contains("none.webm"))
    for line in result.messages.split(separator: "\n") {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    #expect(folder.names == ["a.webm"])
    let allowed = try TesseraTool.run([
      "render", clip, folder.path("none.webm"), "-o", output, "--size", "160x96", "--progress",
      "json", "--allow-missing", "--report", "-",
    ])
    #expect(allowed.status == 3, "\(allowed)")
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: allowed.output) }
    for line in allowed.messages.split(separator: "\n") {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    let doctor = try TesseraTool.run(["doctor", "--json"])
    #expect(doctor.status == 0 && doctor.text.contains("\"sandbox\""))
    #expect(doctor.text.contains("Noto Color Emoji"))
  }
}
