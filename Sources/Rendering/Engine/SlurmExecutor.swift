import Foundation
import Subprocess
import SystemPackage
public import TesseraSystem

/// Has jobs done by a Slurm cluster: an array of tasks, whose results appear in the work folder,
/// which all nodes share.
///
/// Slurm decides where and when. A task that fails is queued once more; a node that fails is the
/// cluster's own affair, which queues its tasks again.
public struct SlurmExecutor: Executor {
  /// What `sbatch` is given: `partition=batch`, `time=2:00:00`.
  public var options: [String]
  /// The work folder.
  public var folder: WorkFolder
  /// The program and the arguments, before the job's number, of a task; the program has to be
  /// there on every node.
  public var command: [String]
  /// How many tasks run at once, at most.
  public var slots: Int

  /// Runs a command of Slurm's and returns its exit code and its standard output.
  typealias Run = @Sendable ([String]) async -> (status: Int32, output: String)
  var run: Run = Self.runCommand
  /// The time between two looks at the queue.
  var pause = Duration.seconds(1)

  /// Has tasks run `command`, followed by the number of a job in the file `jobs.json` of `folder`.
  public init(options: [String], folder: WorkFolder, command: [String], slots: Int = 1000) {
    (self.options, self.folder, self.command, self.slots) = (options, folder, command, slots)
  }

  /// The jobs as the tasks read them, in the work folder.
  public static func jobsPath(_ folder: WorkFolder) -> String { "\(folder.path)/jobs.json" }

  /// The job with that number.
  public static func job(_ number: Int, in folder: WorkFolder) throws(RenderError) -> RenderJob {
    guard let data = FileManager.default.contents(atPath: jobsPath(folder)),
      let jobs = try? JSONDecoder().decode([RenderJob].self, from: data),
      jobs.indices.contains(number)
    else {
      throw RenderError(.usage, "\(jobsPath(folder)) has no job \(number).")
    }
    return jobs[number]
  }

  public func execute(
    _ jobs: [RenderJob], cancellation: Cancellation,
    events: @escaping @Sendable (RenderJob, JobEvent) -> Void,
    lost: @escaping @Sendable (RenderJob, CrashLoss) throws(RenderError) -> Void
  ) async throws(RenderError) {
    guard !jobs.isEmpty else { return }
    try WorkFolder.write(jobs, to: Self.jobsPath(folder))
    let array = try await submit(jobs.count)
    do throws(RenderError) {
      try await wait(for: array, jobs, cancellation, events)
    } catch {
      _ = await run(["scancel", array])
      throw error
    }
  }

  /// The script of a task.
  var script: String {
    let words = command.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
    return "#!/bin/sh\nexec \(words.joined(separator: " ")) \"$SLURM_ARRAY_TASK_ID\"\n"
  }

  private func submit(_ count: Int) async throws(RenderError) -> String {
    let path = "\(folder.path)/task.sh"
    var file = try OutputFile(path)
    try file.write(Data(script.utf8))
    let words =
      [
        "sbatch", "--parsable", "--requeue", "--array=0-\(count - 1)%\(slots)",
        "--job-name=tessera", "--chdir=\(FileManager.default.currentDirectoryPath)",
        "--output=\(folder.path)/notes/slurm-%a.log",
      ] + options.map { "--\($0)" } + [path]
    let result = await run(words)
    // With --parsable: the number, and the cluster after a semicolon.
    let number = result.output.prefix { $0.isNumber }
    guard result.status == 0, !number.isEmpty else {
      throw RenderError(
        .failure,
        "sbatch refuses the render (\(Self.firstLine(result.output))); check --executor's options "
          + "with \"sinfo\".")
    }
    return String(number)
  }

  private static func firstLine(_ text: String) -> String {
    text.split(separator: "\n").first.map(String.init) ?? "without a reason"
  }

  /// What the queue says of an array's tasks.
  struct Queue: Hashable {
    /// The tasks that wait or run.
    var open: Set<Int>
    /// The tasks that have failed.
    var failed: Set<Int>
  }

  /// Reads what `sacct` or `squeue` print as `JOB_TASK|STATE`; tasks that wait are one line for
  /// all: `7_[3-9]`, or `7_3-9%4`.
  static func parse(_ text: String, count: Int) -> Queue {
    var queue = Queue(open: [], failed: [])
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "|")
      guard parts.count >= 2, let place = parts[0].split(separator: "_").last else { continue }
      let state = parts[1].split(separator: " ").first ?? ""
      let tasks = tasks(place, count: count)
      switch state {
      case "COMPLETED": break
      case "FAILED", "TIMEOUT", "OUT_OF_MEMORY", "CANCELLED", "DEADLINE", "BOOT_FAIL":
        queue.failed.formUnion(tasks)
      default: queue.open.formUnion(tasks)
      }
    }
    return queue
  }

  private static func tasks(_ text: Substring, count: Int) -> Set<Int> {
    if let number = Int(text) { return [number] }
    var tasks: Set<Int> = []
    let list = text.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }
    for part in list.split(separator: ",") {
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last, first < count else {
        continue
      }
      tasks.formUnion(max(0, first)...max(0, min(last, count - 1)))
    }
    return tasks
  }

  private func wait(
    for array: String, _ jobs: [RenderJob], _ cancellation: Cancellation,
    _ events: @escaping @Sendable (RenderJob, JobEvent) -> Void
  ) async throws(RenderError) {
    var reported: Set<Int> = []
    var again: Set<Int> = []
    var suspects: Set<Int> = []
    while true {
      // Asked for before the folder is looked at, so that what ends in between is seen.
      let queue = await queue(array, jobs.count)
      if cancellation.isCancelled { throw .stopped(cancellation) }
      let unfinished = report(jobs, &reported, events)
      guard !unfinished.isEmpty else { return }
      // What a node has written may be seen a moment after its task has left the queue.
      let gone = unfinished.subtracting(queue.open)
      let failed = gone.intersection(suspects)
      suspects = gone.subtracting(failed)
      for task in failed.sorted() {
        guard again.insert(task).inserted else {
          throw RenderError(
            .failure,
            "a task of the cluster failed twice at \(jobs[task]); its log is "
              + "\(folder.path)/notes/slurm-\(task).log. What is finished is kept: the same command "
              + "goes on from there.")
        }
        let result = await run(["scontrol", "requeue", "\(array)_\(task)"])
        guard result.status == 0 else {
          throw RenderError(
            .failure, "the cluster does not queue task \(task) again (\(result.output)).")
        }
      }
      do {
        try await Task.sleep(for: pause)
      } catch {
        throw .stopped(cancellation)
      }
    }
  }

  private func queue(_ array: String, _ count: Int) async -> Queue {
    let result = await run([
      "squeue", "--noheader", "--array", "--format=%F_%K|%T", "--jobs=\(array)",
    ])
    if result.status == 0 { return Self.parse(result.output, count: count) }
    // What ended some minutes ago is in the accounting only, where there is one.
    let accounted = await run([
      "sacct", "--noheader", "--parsable2", "--allocations", "--format=JobID,State",
      "--jobs=\(array)",
    ])
    return Self.parse(accounted.output, count: count)
  }

  /// Tells of what has newly appeared in the work folder; returns the jobs that are not finished.
  private func report(
    _ jobs: [RenderJob], _ reported: inout Set<Int>, _ events: (RenderJob, JobEvent) -> Void
  ) -> Set<Int> {
    var unfinished: Set<Int> = []
    for (index, job) in jobs.enumerated() {
      switch job {
      case .soundtrack:
        if !FileSystem.exists(folder.soundtrackPath) { unfinished.insert(index) }
      case .segments(let numbers):
        for number in numbers where !reported.contains(number) {
          guard FileSystem.exists(folder.segmentPath(number)) else {
            unfinished.insert(index)
            continue
          }
          reported.insert(number)
          events(job, .finished(segment: number))
        }
      }
    }
    return unfinished
  }

  private static let runCommand: Run = { words in
    do {
      let result = try await Subprocess.run(
        .name(words[0]), arguments: Arguments(Array(words.dropFirst())),
        output: .string(limit: 4 << 20), error: .combinedWithOutput)
      let status: Int32 =
        switch result.terminationStatus {
        case .exited(let code): code
        case .signaled(let signal): -signal
        }
      return (status, result.standardOutput)
    } catch {
      return (127, "\(words[0]) cannot be run: \(error)")
    }
  }
}
