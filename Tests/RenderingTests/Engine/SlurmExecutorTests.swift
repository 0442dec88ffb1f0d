import Foundation
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraRendering

@Suite struct SlurmExecutorTests {
  /// A cluster that has its own way with the tasks.
  private final class Cluster: Sendable {
    let folder: WorkFolder
    let calls = Monitor([[String]]())
    let tasks: Monitor<[Int: String]>
    let step: @Sendable (Int, WorkFolder) -> String

    init(_ folder: WorkFolder, step: @escaping @Sendable (Int, WorkFolder) -> String) {
      (self.folder, self.step) = (folder, step)
      tasks = Monitor([:])
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

  private func executor(_ cluster: Cluster) -> SlurmExecutor {
    var executor = SlurmExecutor(
      options: ["partition=batch"], folder: cluster.folder, command: ["tessera", "it's"])
    executor.cluster.run = { cluster.run($0) }
    executor.pause = .milliseconds(1)
    return executor
  }

  @Test("An array does all jobs; a task that fails is queued once more")
  func array() async throws {
    let temporary = try TemporaryFolder()
    let folder = WorkFolder(temporary.path)
    try folder.make()
    let failures = Monitor(Set<Int>())
    let cluster = Cluster(folder) { task, folder in
      if task == 1, failures.withLock({ $0.insert(1).inserted }) { return "FAILED" }
      let job = try? SlurmExecutor.job(task, in: folder)
      switch job {
      case .segments(let numbers):
        for number in numbers {
          _ = FileManager.default.createFile(atPath: folder.segmentPath(number), contents: nil)
        }
      case .soundtrack:
        _ = FileManager.default.createFile(atPath: folder.soundtrackPath, contents: nil)
      case .reading, nil: return "FAILED"
      }
      return "COMPLETED"
    }
    let finished = Monitor([Int]())
    try await executor(cluster).execute(
      [.soundtrack, .segments(0..<2), .segments(2..<3)], cancellation: Cancellation(),
      events: { _, event in
        if case .finished(let segment) = event { finished.withLock { $0.append(segment) } }
      }, lost: { _, _ in })
    #expect(finished.withLock { $0.sorted() } == [0, 1, 2])
    let calls = cluster.calls.withLock { $0 }
    #expect(calls[0].contains("--partition=batch") && calls[0].contains("--array=0-2%1000"))
    #expect(calls.contains(["scontrol", "requeue", "42_1"]))
    let script = try String(contentsOfFile: temporary.path("task.sh"), encoding: .utf8)
    #expect(script == "#!/bin/sh\nexec 'tessera' 'it'\\''s' \"$SLURM_ARRAY_TASK_ID\"\n")
  }

  @Test("A task that fails twice fails the render, and the array is cancelled")
  func twice() async throws {
    let temporary = try TemporaryFolder()
    let folder = WorkFolder(temporary.path)
    try folder.make()
    let cluster = Cluster(folder) { _, _ in "FAILED" }
    let error = await #expect(throws: RenderError.self) {
      try await executor(cluster).execute(
        [.segments(0..<2)], cancellation: Cancellation(), events: { _, _ in }, lost: { _, _ in })
    }
    #expect(error?.message.contains("twice at segments 0 to 1") == true)
    #expect(cluster.calls.withLock { $0.last } == ["scancel", "42"])
  }

  @Test("The pieces are joined by a job that waits for the array; it waits anew for what failed")
  func stitch() async throws {
    let temporary = try TemporaryFolder()
    let folder = WorkFolder(temporary.path)
    try folder.make()
    let failures = Monitor(0)
    let cluster = Cluster(folder) { _, folder in
      failures.update { $0 += 1 }
      guard failures.withLock({ $0 > 1 }) else { return "FAILED" }
      for path in [folder.segmentPath(0), folder.reportPath] {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
      }
      return "COMPLETED"
    }
    var executor = executor(cluster)
    executor.stitch = ["tessera", "stitch"]
    try await executor.execute(
      [.segments(0..<1)], cancellation: Cancellation(), events: { _, _ in }, lost: { _, _ in })
    let calls = cluster.calls.withLock { $0 }
    let stitches = calls.filter { $0.contains("--dependency=afterok:42") }
    #expect(stitches.count == 2)
    #expect(calls.contains(["scancel", "42"]))
    let script = try String(contentsOfFile: temporary.path("stitch.sh"), encoding: .utf8)
    #expect(script == "#!/bin/sh\n'tessera' 'stitch' || [ $? -eq 3 ]\n")
  }

  @Test("A task that a recording brings down twice does without it")
  func crash() async throws {
    let temporary = try TemporaryFolder()
    let folder = WorkFolder(temporary.path)
    try folder.make()
    let helper = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "tessera-test-helper").path
    let job = RenderJob.segments(0..<1)
    let cluster = Cluster(folder) { _, folder in
      if folder.losses(of: 0).isEmpty {
        _ = try? Tool.run(helper, ["crash", folder.notePath(job), "segv"])
        return "FAILED"
      }
      _ = FileManager.default.createFile(atPath: folder.segmentPath(0), contents: nil)
      return "COMPLETED"
    }
    try await executor(cluster).execute(
      [job], cancellation: Cancellation(), events: { _, _ in },
      lost: { job, loss throws(RenderError) in try folder.record(loss, for: job) })
    #expect(folder.losses(of: 0) == [CrashLoss(track: 5, time: 7_000, manner: "signal 11")])
  }

  @Test("Stopping cancels the array")
  func stop() async throws {
    let temporary = try TemporaryFolder()
    let folder = WorkFolder(temporary.path)
    try folder.make()
    let cancellation = Cancellation()
    let cluster = Cluster(folder) { _, _ in
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

  @Test("The queue's words are understood, as those of many tasks at once")
  func queue() {
    let queue = SlurmQueue(
      """
      7_[3-5,9%4]|PENDING
      7_1|RUNNING
      7_2|FAILED
      7_0|COMPLETED
      7_6|CANCELLED by 0
      7_7-8%2|PENDING
      nonsense
      """, count: 9)
    #expect(queue.open == [3, 4, 5, 1, 7, 8])
    #expect(queue.failed == [2, 6])
  }
}
