import Foundation
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraJobs

@Suite(.timed) struct ClusterExecutorTests {
  /// A cluster that runs tasks by a closure.
  private final class Machines: Sendable {
    let folder: JobRecordFolder
    let calls = ConditionLock([[String]]())
    let tasks: ConditionLock<[Int: String]>
    let step: @Sendable (Int, JobRecordFolder) -> String

    init(_ folder: JobRecordFolder, step: @escaping @Sendable (Int, JobRecordFolder) -> String) {
      (self.folder, self.step) = (folder, step)
      tasks = ConditionLock([:])
    }

    func run(_ words: [String]) -> (status: Int32, output: String) {
      calls.withLock { $0.append(words) }
      switch words[0] {
      case "sbatch":
        let array = words.first { $0.hasPrefix("--array=0-") } ?? ""
        let last = Int(array.dropFirst(10).prefix { $0.isNumber }) ?? 0
        tasks.withLock { for task in 0...last { $0[task] = "PENDING" } }
        return (0, "42;cluster\n")
      case "squeue":
        let text = tasks.withLock { tasks in
          let text = tasks.sorted { $0.key < $1.key }.map { "42_\($0.key)|\($0.value)\n" }
          for (task, state) in tasks where state == "PENDING" { tasks[task] = step(task, folder) }
          return text.joined()
        }
        return (0, text)
      case "scontrol":
        tasks.withLock { $0[Int(words[2].dropFirst(3)) ?? 0] = "PENDING" }
        return (0, "")
      default: return (0, "")
      }
    }
  }

  private func executor(
    _ machines: Machines, joining: Bool = false
  ) -> ClusterExecutor<PlayedJob, SlurmQueue> {
    let folder = machines.folder
    return ClusterExecutor(
      SlurmQueue(options: ["partition=batch"]) { machines.run($0) }, folder: folder,
      command: Self.program,
      joining: joining
        ? ClusterExecutor.StitchStep(
          WorkerProgram("tessera", .read(roots: [])),
          result: "\(folder.path)/report.json") : nil,
      pause: .milliseconds(1),
      isFinished: { job, part in
        FileOperations.exists("\(folder.path)/\(part.map { "\($0)" } ?? job.fileName)")
      })
  }

  private static let program = WorkerProgram(
    "/bin/echo", .read(roots: ["/it's \"there\" $HOME\\n\n/`x`"]))

  private func makeFolder(_ temporary: TemporaryFolder) throws -> JobRecordFolder {
    for name in JobRecordFolder.folders { try FileOperations.makeFolder(temporary.path(name)) }
    return JobRecordFolder(temporary.path)
  }

  private static func make(_ name: String, in folder: JobRecordFolder) {
    _ = FileManager.default.createFile(atPath: "\(folder.path)/\(name)", contents: nil)
  }

  @Test("An array does all jobs; a failed task is queued once more")
  func array() async throws {
    let temporary = try TemporaryFolder()
    let folder = try makeFolder(temporary)
    let failures = ConditionLock(Set<Int>())
    let cluster = Machines(folder) { task, folder in
      if task == 1, failures.withLock({ $0.insert(1).inserted }) { return "FAILED" }
      guard let job = try? folder.job(task, of: PlayedJob.self) else { return "FAILED" }
      for name in job.parts?.map({ "\($0)" }) ?? [job.fileName] { Self.make(name, in: folder) }
      return "COMPLETED"
    }
    let finished = ConditionLock([Int]())
    try await executor(cluster).execute(
      [.soundtrack, .segments(0..<2), .segments(2..<3)], cancellation: Cancellation(),
      events: { _, event in
        if case .finished(let segment) = event { finished.withLock { $0.append(segment) } }
      }, lost: { _, _ in })
    #expect(finished.withLock { $0.sorted() } == [0, 1, 2])
    let calls = cluster.calls.withLock { $0 }
    #expect(calls[0].contains("--partition=batch") && calls[0].contains("--array=0-2%1000"))
    #expect(calls.contains(["scontrol", "requeue", "42_1"]))
    let printed = try Tool.run(
      "/usr/bin/env", ["SLURM_ARRAY_TASK_ID=2", "sh", temporary.path("tessera.sh")])
    #expect(printed.text == Self.program.arguments.joined(separator: " ") + " 2\n")
    let words = printed.text.split(separator: " ", maxSplits: 1)
    let setup: WorkerSetup? = CanonicalJSON.value(Data(words[1].dropLast(" 2\n".count).utf8))
    #expect(words[0] == "worker" && setup == Self.program.setup)
  }

  @Test("A task that fails twice fails the render, and the array is cancelled")
  func twice() async throws {
    let temporary = try TemporaryFolder()
    let folder = try makeFolder(temporary)
    let cluster = Machines(folder) { _, _ in "FAILED" }
    let error = await #expect(throws: RenderError.self) {
      try await executor(cluster).execute(
        [.segments(0..<2)], cancellation: Cancellation(), events: { _, _ in }, lost: { _, _ in })
    }
    #expect(error?.message.contains("twice at job 0-1") == true)
    #expect(cluster.calls.withLock { $0.last } == ["scancel", "42"])
  }

  @Test("A job that waits for the array joins the pieces, and waits again for requeued tasks")
  func stitch() async throws {
    let temporary = try TemporaryFolder()
    let folder = try makeFolder(temporary)
    let failures = ConditionLock(0)
    let cluster = Machines(folder) { _, folder in
      failures.update { $0 += 1 }
      guard failures.withLock({ $0 > 1 }) else { return "FAILED" }
      for name in ["0", "report.json"] { Self.make(name, in: folder) }
      return "COMPLETED"
    }
    try await executor(cluster, joining: true).execute(
      [.segments(0..<1)], cancellation: Cancellation(), events: { _, _ in }, lost: { _, _ in })
    let calls = cluster.calls.withLock { $0 }
    let stitches = calls.filter { $0.contains("--dependency=afterok:42") }
    #expect(stitches.count == 2)
    #expect(calls.contains(["scancel", "42"]))
    let script = try String(contentsOfFile: temporary.path("tessera-stitch.sh"), encoding: .utf8)
    #expect(script == "#!/bin/sh\nexec 'tessera' 'worker' '{\"read\":{\"roots\":[]}}'\n")
  }

  @Test("A task that crashes twice on one recording runs without that recording")
  func crash() async throws {
    let temporary = try TemporaryFolder()
    let folder = try makeFolder(temporary)
    let helper = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "tessera-test-helper").path
    let job = PlayedJob.segments(0..<1)
    let cluster = Machines(folder) { _, folder in
      if folder.losses(of: "0").isEmpty {
        _ = try? Tool.run(helper, ["crash", folder.notePath(job), "segv"])
        return "FAILED"
      }
      Self.make("0", in: folder)
      return "COMPLETED"
    }
    try await executor(cluster).execute(
      [job], cancellation: Cancellation(), events: { _, _ in },
      lost: { _, loss throws(RenderError) in try folder.record(loss, of: "0") })
    #expect(
      folder.losses(of: "0") == [CrashedTrackLoss(track: 5, time: 7_000, manner: "signal 11")])
  }

  @Test("Stopping cancels the array")
  func stop() async throws {
    let temporary = try TemporaryFolder()
    let folder = try makeFolder(temporary)
    let cancellation = Cancellation()
    let cluster = Machines(folder) { _, _ in
      cancellation.cancel()
      return "RUNNING"
    }
    let error = await #expect(throws: RenderError.self) {
      try await executor(cluster).execute(
        [.soundtrack], cancellation: cancellation, events: { _, _ in }, lost: { _, _ in })
    }
    #expect(error?.kind == .cancelled)
    #expect(cluster.calls.withLock { $0.last } == ["scancel", "42"])
  }

  @Test("The output of squeue is parsed, also for many tasks at once")
  func queue() {
    let open = SlurmQueue.open(
      """
      7_[3-5,9%4]|PENDING
      7_1|RUNNING
      7_2|FAILED
      7_0|COMPLETED
      7_6|CANCELLED by 0
      7_7-8%2|PENDING
      nonsense
      """, count: 9)
    #expect(open == [3, 4, 5, 1, 7, 8])
  }
}
