import Foundation
import Glibc
import TesseraMessages
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraJobs

/// Workers implemented by a shell script, which receives the setup and the job as arguments.
@Suite(.timed) struct ProcessExecutorTests {
  /// Creates an executor. `script` finds the folder in `$folder` and the job's name in `$job`.
  private func executor(
    _ folder: TemporaryFolder, slots: Int = 2, _ script: String
  ) throws -> LocalExecutor<ProcessJobRunner<PlayedJob>> {
    try FileOperations.makeFolder(folder.path("notes"))
    let path = folder.path("program")
    let text = "#!/bin/bash\nfolder='\(folder.path)' job=${3//\\\"/}\n\(script)\n"
    // Another process writes the file: one that this process has open cannot be executed.
    _ = try Tool.run("sh", ["-c", "printf %s \"$1\" >\"$0\"; chmod +x \"$0\"", path, text])
    let program = WorkerProgram(path, .read(roots: []))
    return LocalExecutor(
      slots: slots, runner: ProcessJobRunner(program, JobRecordFolder(folder.path)))
  }

  private func line(_ message: WorkerMessage) -> String {
    String(decoding: message.line.dropLast(), as: UTF8.self)
  }

  @Test("A worker's messages arrive, and its output goes to its log")
  func messages() async throws {
    let folder = try TemporaryFolder()
    let told = ConditionLock([JobEvent]())
    let script = """
      echo '\(line(.event(.advanced(part: 4, frames: 30, seconds: 0.5))))'
      echo nonsense; echo grumble >&2
      echo '\(line(.event(.finished(part: 4))))'
      """
    try await executor(folder, script).execute(
      [.segments(4..<5)], cancellation: Cancellation(),
      events: { _, event in told.withLock { $0.append(event) } }, lost: { _, _ in })
    #expect(
      told.withLock { $0 }
        == [.advanced(part: 4, frames: 30, seconds: 0.5), .finished(part: 4)])
    #expect(
      try String(contentsOfFile: folder.path("notes/4-4.log"), encoding: .utf8) == "grumble\n")
  }

  @Test("An endless line is dropped, and the next line arrives")
  func endlessLine() async throws {
    let folder = try TemporaryFolder()
    let told = ConditionLock([JobEvent]())
    let event = line(.event(.finished(part: 4)))
    let script = "head -c 40000000 /dev/zero | tr '\\0' x; echo '\(event)'; echo '\(event)'"
    try await executor(folder, script).execute(
      [.segments(4..<5)], cancellation: Cancellation(),
      events: { _, event in told.withLock { $0.append(event) } }, lost: { _, _ in })
    // The first event is the end of the long line.
    #expect(told.withLock { $0 } == [.finished(part: 4)])
  }

  @Test("A killed worker is replaced; a worker killed twice fails the render")
  func kill() async throws {
    let folder = try TemporaryFolder()
    let once = "[ -e $folder/died ] || { touch $folder/died; kill -9 $$; }; touch $folder/done-$job"
    try await executor(folder, once).execute(
      [.soundtrack, .segments(0..<1), .segments(1..<2)], cancellation: Cancellation(),
      events: { _, _ in }, lost: { _, _ in })
    #expect(folder.names.count { $0.hasPrefix("done") } == 3)
    let error = await #expect(throws: RenderError.self) {
      try await executor(folder, "exit 70").execute(
        [.soundtrack], cancellation: Cancellation(), events: { _, _ in }, lost: { _, _ in })
    }
    #expect(error?.message.contains("exit code 70") == true)
  }

  @Test("A worker's own error ends the render with its message")
  func ownError() async throws {
    let folder = try TemporaryFolder()
    let script = "echo '\(line(.failure(.failure, "the disk is full.")))'; exit 1"
    await #expect(throws: RenderError(.failure, "the disk is full.")) {
      try await executor(folder, script).execute(
        [.soundtrack], cancellation: Cancellation(), events: { _, _ in }, lost: { _, _ in })
    }
  }

  @Test("A track that crashes its decoder twice is lost, and the segment is rendered without it")
  func crash() async throws {
    let folder = try TemporaryFolder()
    let helper = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "tessera-test-helper").path
    let script = "[ -e $folder/lost ] || exec \(helper) crash $folder/notes/$job.note segv"
    let losses = ConditionLock([CrashedTrackLoss]())
    try await executor(folder, script).execute(
      [.segments(3..<4)], cancellation: Cancellation(), events: { _, _ in },
      lost: { job, loss in
        losses.withLock { $0.append(loss) }
        _ = FileManager.default.createFile(atPath: folder.path("lost"), contents: nil)
      })
    #expect(
      losses.withLock { $0 } == [CrashedTrackLoss(track: 5, time: 7_000, manner: "signal 11")])
  }

  @Test("Cancellation kills workers that ignore SIGTERM")
  func deaf() async throws {
    let folder = try TemporaryFolder()
    let cancellation = Cancellation()
    let script = """
      trap '' TERM INT; echo $$ > $folder/$job.pid
      echo '\(line(.event(.mixed(0.5))))'; while true; do sleep 1; done
      """
    let error = await #expect(throws: RenderError.self) {
      try await executor(folder, script).execute(
        [.segments(0..<1), .soundtrack], cancellation: cancellation,
        events: { _, _ in cancellation.cancel() }, lost: { _, _ in })
    }
    #expect(error?.kind == .cancelled)
    for name in folder.names where name.hasSuffix(".pid") {
      let text = try String(contentsOfFile: folder.path(name), encoding: .utf8)
      let process = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      #expect(Glibc.kill(process, 0) != 0)
    }
  }
}
