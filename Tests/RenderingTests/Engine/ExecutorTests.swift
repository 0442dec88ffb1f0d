import Foundation
import Glibc
import Synchronization
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraRendering

@Suite struct ThreadExecutorTests {
  @Test("All jobs are done, at most so many at once")
  func slots() async throws {
    let state = Monitor((running: 0, most: 0, done: [RenderJob]()))
    let executor = LocalExecutor(
      slots: 3,
      runner: ThreadRunner { job, _, events throws(RenderError) in
        state.withLock { state in
          state.running += 1
          state.most = max(state.most, state.running)
        }
        if case .segments(let numbers) = job {
          for number in numbers { events(.finished(segment: number)) }
        }
        state.withLock { state in
          state.running -= 1
          state.done.append(job)
        }
      })
    let jobs: [RenderJob] = [.soundtrack] + (0..<20).map { .segments((2 * $0)..<(2 * $0 + 2)) }
    let finished = Monitor(Set<Int>())
    try await executor.execute(
      jobs, cancellation: Cancellation(),
      events: { _, event in
        if case .finished(let segment) = event {
          finished.withLock { _ = $0.insert(segment) }
        }
      }, lost: { _, _ in })
    #expect(Set(state.withLock { $0.done }) == Set(jobs))
    #expect(state.withLock { $0.most } <= 3)
    #expect(finished.withLock { $0 } == Set(0..<40))
  }

  @Test("A job that cannot be done stops all others")
  func failure() async {
    let executor = LocalExecutor(
      slots: 2,
      runner: ThreadRunner { job, cancellation, _ throws(RenderError) in
        if job == .soundtrack { throw RenderError(.failure, "no sound.") }
        while !cancellation.isCancelled { usleep(1000) }
      })
    await #expect(throws: RenderError(.failure, "no sound.")) {
      try await executor.execute(
        [.segments(0..<1), .soundtrack, .segments(1..<2)], cancellation: Cancellation(),
        events: { _, _ in }, lost: { _, _ in })
    }
  }

  @Test("Cancellation stops what runs")
  func cancellation() async {
    let cancellation = Cancellation()
    let executor = LocalExecutor(
      slots: 2,
      runner: ThreadRunner { _, own, _ throws(RenderError) in
        cancellation.cancel()
        while !own.isCancelled { usleep(1000) }
      })
    let error = await #expect(throws: RenderError.self) {
      try await executor.execute(
        [.segments(0..<1), .segments(1..<2)], cancellation: cancellation, events: { _, _ in },
        lost: { _, _ in })
    }
    #expect(error?.kind == .cancelled)
  }
}

/// Workers that are played by a shell, which gets the job as its first argument.
@Suite struct ProcessExecutorTests {
  private func executor(
    _ folder: TemporaryFolder, slots: Int = 2, _ script: String
  ) -> LocalExecutor<ProcessRunner> {
    LocalExecutor(
      slots: slots,
      runner: ProcessRunner(
        program: "/bin/bash",
        arguments: { job in ["-c", script, job.fileName, folder.path] },
        note: { folder.path("\($0.fileName).note") },
        log: { folder.path("\($0.fileName).log") }))
  }

  private func line(_ message: WorkerMessage) -> String {
    String(decoding: message.line.dropLast(), as: UTF8.self)
  }

  @Test("A worker's messages arrive, and what it says goes to its log")
  func messages() async throws {
    let folder = try TemporaryFolder()
    let told = Monitor([JobEvent]())
    let script = """
      echo '\(line(.event(.advanced(segment: 4, frames: 30, seconds: 0.5))))'
      echo nonsense; echo grumble >&2
      echo '\(line(.event(.finished(segment: 4))))'
      """
    try await executor(folder, script).execute(
      [.segments(4..<5)], cancellation: Cancellation(),
      events: { _, event in told.withLock { $0.append(event) } }, lost: { _, _ in })
    #expect(
      told.withLock { $0 }
        == [.advanced(segment: 4, frames: 30, seconds: 0.5), .finished(segment: 4)])
    #expect(try String(contentsOfFile: folder.path("4-4.log"), encoding: .utf8) == "grumble\n")
  }

  @Test("A worker that is killed is replaced; one that dies twice fails the render")
  func kill() async throws {
    let folder = try TemporaryFolder()
    let once = "[ -e $1/died ] || { touch $1/died; kill -9 $$; }; touch $1/done-$0"
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

  @Test("A worker's own error ends the render with its words")
  func ownError() async throws {
    let folder = try TemporaryFolder()
    let script = "echo '\(line(.failure(.failure, "the disk is full.")))'; exit 1"
    await #expect(throws: RenderError(.failure, "the disk is full.")) {
      try await executor(folder, script).execute(
        [.soundtrack], cancellation: Cancellation(), events: { _, _ in }, lost: { _, _ in })
    }
  }

  @Test("A track that crashes its decoder twice is lost, and the segment made without it")
  func crash() async throws {
    let folder = try TemporaryFolder()
    let helper = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "tessera-test-helper").path
    let script = "[ -e $1/lost ] || exec \(helper) crash $1/$0.note segv"
    let losses = Monitor([CrashLoss]())
    try await executor(folder, script).execute(
      [.segments(3..<4)], cancellation: Cancellation(), events: { _, _ in },
      lost: { job, loss in
        losses.withLock { $0.append(loss) }
        _ = FileManager.default.createFile(atPath: folder.path("lost"), contents: nil)
      })
    #expect(losses.withLock { $0 } == [CrashLoss(track: 5, time: 7_000, manner: "signal 11")])
  }

  @Test("Cancellation ends workers that do not listen")
  func deaf() async throws {
    let folder = try TemporaryFolder()
    let cancellation = Cancellation()
    let script = """
      trap '' TERM INT; echo $$ > $1/$0.pid
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
    executor.run = { cluster.run($0) }
    executor.pause = .milliseconds(1)
    return executor
  }

  private func touch(_ path: String) {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
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
      case nil: return "FAILED"
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
    let queue = SlurmExecutor.parse(
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

@Suite struct WorkFolderTests {
  @Test("Remains of a dead render go; what is finished and what belongs to others stays")
  func remains() throws {
    let temporary = try TemporaryFolder()
    let folder = WorkFolder(temporary.path("out.mp4.tessera"))
    try folder.make()
    let files = [
      "segments/0.tseg", "segments/.1.tseg.77.part", "notes/1-1.note", "soundtrack.tsnd", "mine",
      ".soundtrack.tsnd.8.part", "segments/7.tseg",
    ]
    for name in files {
      _ = FileManager.default.createFile(
        atPath: "\(folder.path)/\(name)", contents: Data("x".utf8))
    }
    do {
      let lock = try folder.enter()
      #expect(throws: RenderError.self) { _ = try folder.enter() }
      _ = consume lock
    }
    folder.removeSegments(from: 3)
    let left = files.filter { FileSystem.exists("\(folder.path)/\($0)") }
    #expect(left == ["segments/0.tseg", "soundtrack.tsnd", "mine"])
    #expect(!folder.hasSegment(0, digest: "x"))
    folder.remove()
    #expect(FileSystem.names(in: folder.path) == ["mine"])
  }

  @Test("Recorded losses add up until they are forgotten")
  func losses() throws {
    let temporary = try TemporaryFolder()
    let folder = WorkFolder(temporary.path)
    try folder.make()
    let loss = { CrashLoss(track: $0, time: 9, manner: "signal 11") }
    try folder.record(loss(1), for: .segments(4..<5))
    try folder.record(loss(2), for: .segments(4..<5))
    try folder.record(loss(3), for: .soundtrack)
    #expect(folder.losses(of: 4) == [loss(1), loss(2)])
    #expect(folder.losses(of: 3).isEmpty)
    #expect(folder.soundLosses == [loss(3)])
    folder.forgetLosses()
    #expect(folder.losses(of: 4).isEmpty && folder.soundLosses.isEmpty)
  }

  @Test("Digests depend on every part and on where parts end")
  func digests() {
    let digest = { (parts: [String]) in
      var digest = ContentDigest()
      for part in parts { digest.add(part) }
      return digest.finish()
    }
    #expect(digest(["ab", "c"]) != digest(["a", "bc"]))
    #expect(digest(["ab", "c"]) == digest(["ab", "c"]))
    #expect(digest([]).count == 64)
  }

  @Test("Too little room is told before")
  func disk() throws {
    let temporary = try TemporaryFolder()
    #expect(throws: Never.self) { try DiskSpace.require(1, at: temporary.path) }
    #expect(throws: RenderError.self) { try DiskSpace.require(1 << 55, at: temporary.path) }
  }
}
