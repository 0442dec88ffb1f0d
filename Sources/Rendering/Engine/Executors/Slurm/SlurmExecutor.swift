import Foundation
public import TesseraSystem

/// Has jobs done by a Slurm cluster: an array of tasks, whose results appear in the work folder,
/// which all nodes share, and a job that depends on them and joins the pieces.
///
/// Slurm decides where and when. A task that fails is queued once more, or where the recording that
/// brought it down is known, without that; a node that fails is the cluster's own affair, which
/// queues its tasks again.
public struct SlurmExecutor: Executor {
  /// The work folder.
  public var folder: WorkFolder
  /// The program and the arguments, before the job's number, of a task; the program has to be
  /// there on every node.
  public var command: [String]
  /// The program and the arguments that join the pieces once all are there and write
  /// ``WorkFolder/reportPath``; nil leaves that to whoever waits.
  public var stitch: [String]?
  /// How many tasks run at once, at most.
  public var slots: Int

  var cluster: SlurmCluster
  /// The time between two looks at the queue.
  var pause = Duration.seconds(1)

  /// Has tasks run `command`, followed by the number of a job in the file `jobs.json` of `folder`.
  /// `options` are for `sbatch`: `partition=batch`, `time=2:00:00`.
  public init(
    options: [String], folder: WorkFolder, command: [String], stitch: [String]? = nil,
    slots: Int = 1000
  ) {
    (self.folder, self.command, self.stitch, self.slots) = (folder, command, stitch, slots)
    cluster = SlurmCluster(options: options)
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

  /// What was queued.
  private struct Queued {
    var array: String
    var stitch: String?
    /// How the tasks died so far.
    var deaths: [Int: [Death]] = [:]
    var numbers: [String] { [array] + [stitch].compactMap { $0 } }
  }

  public func execute(
    _ jobs: [RenderJob], cancellation: Cancellation,
    events: @escaping @Sendable (RenderJob, JobEvent) -> Void,
    lost: @escaping @Sendable (RenderJob, CrashLoss) throws(RenderError) -> Void
  ) async throws(RenderError) {
    guard !jobs.isEmpty else { return }
    FileSystem.remove(folder.reportPath)
    try WorkFolder.write(jobs, to: Self.jobsPath(folder))
    var queued = Queued(array: try await submitTasks(jobs.count))
    do throws(RenderError) {
      queued.stitch = try await submitStitch(after: queued.array)
      try await wait(for: &queued, jobs, cancellation, events, lost)
      try await waitForStitch(queued, cancellation)
    } catch {
      await cluster.cancel(queued.numbers)
      throw error
    }
  }

  private func submitTasks(_ count: Int) async throws(RenderError) -> String {
    try await cluster.submit(
      SlurmCluster.script("exec ", running: command, "\"$SLURM_ARRAY_TASK_ID\""),
      at: "\(folder.path)/task.sh", log: "\(folder.path)/notes/slurm-%a.log",
      ["--requeue", "--array=0-\(count - 1)%\(slots)", "--job-name=tessera"])
  }

  /// A render with losses is no failure of the cluster's.
  private func submitStitch(after array: String) async throws(RenderError) -> String? {
    guard let stitch else { return nil }
    return try await cluster.submit(
      SlurmCluster.script(running: stitch, "|| [ $? -eq 3 ]"),
      at: "\(folder.path)/stitch.sh", log: stitchLog,
      ["--requeue", "--dependency=afterok:\(array)", "--job-name=tessera-stitch"])
  }

  private var stitchLog: String { "\(folder.path)/notes/slurm-stitch.log" }

  private func wait(
    for queued: inout Queued, _ jobs: [RenderJob], _ cancellation: Cancellation,
    _ events: @escaping @Sendable (RenderJob, JobEvent) -> Void,
    _ lost: @Sendable (RenderJob, CrashLoss) throws(RenderError) -> Void
  ) async throws(RenderError) {
    var reported: Set<Int> = []
    var suspects: Set<Int> = []
    while true {
      // Asked for before the folder is looked at, so that what ends in between is seen.
      let queue = await cluster.queue(queued.array, jobs.count)
      if cancellation.isCancelled { throw .stopped(cancellation) }
      let unfinished = report(jobs, &reported, events)
      guard !unfinished.isEmpty else { return }
      // What a node has written may be seen a moment after its task has left the queue.
      let gone = unfinished.subtracting(queue.open)
      let failed = gone.intersection(suspects)
      suspects = gone.subtracting(failed)
      for task in failed.sorted() { try await again(task, jobs[task], &queued, reported, lost) }
      if !failed.isEmpty, let stitch = queued.stitch {
        // It waited for tasks that failed, and would for ever.
        await cluster.cancel([stitch])
        queued.stitch = try await submitStitch(after: queued.array)
      }
      try await sleep(cancellation)
    }
  }

  /// Queues a task again that has failed: once, and then only without what is to blame.
  private func again(
    _ task: Int, _ job: RenderJob, _ queued: inout Queued, _ reported: Set<Int>,
    _ lost: (RenderJob, CrashLoss) throws(RenderError) -> Void
  ) async throws(RenderError) {
    let blame = CrashNote.blame(at: folder.notePath(job))
    let death = Death(manner: "signal \(blame?.signal ?? 0)", blame: blame)
    FileSystem.remove(folder.notePath(job))
    let earlier = queued.deaths[task, default: []]
    if death.isBlamed, let blame,
      earlier.contains(where: { $0.isBlamed && $0.blame?.track == blame.track })
    {
      let first = job.numbers?.first { !reported.contains($0) }
      try lost(
        first.map { job.part($0..<($0 + 1)) } ?? job,
        CrashLoss(track: blame.track, time: blame.time, manner: death.manner))
      queued.deaths[task] = []
    } else if earlier.count > 0, !death.isBlamed || earlier.count > 2 {
      throw RenderError(
        .failure,
        "a task of the cluster failed twice at \(job); its log is "
          + "\(folder.path)/notes/slurm-\(task).log. What is finished is kept: the same command "
          + "goes on from there.")
    } else {
      queued.deaths[task, default: []].append(death)
    }
    try await cluster.requeue(queued.array, task)
  }

  private func waitForStitch(
    _ queued: Queued, _ cancellation: Cancellation
  ) async throws(RenderError) {
    guard let stitch = queued.stitch else { return }
    var isSuspect = false
    while true {
      let isOpen = await cluster.isOpen(stitch)
      if FileSystem.exists(folder.reportPath) { return }
      if cancellation.isCancelled { throw .stopped(cancellation) }
      guard isOpen || !isSuspect else {
        throw RenderError(
          .failure,
          "the cluster does not join the pieces; the log is \(stitchLog). What is finished is kept: "
            + "the same command goes on from there.")
      }
      isSuspect = !isOpen
      try await sleep(cancellation)
    }
  }

  private func sleep(_ cancellation: Cancellation) async throws(RenderError) {
    do {
      try await Task.sleep(for: pause)
    } catch {
      throw .stopped(cancellation)
    }
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
      // Recordings are read where the plan is made.
      case .reading: break
      }
    }
    return unfinished
  }
}
