import Foundation
import TesseraMessages
package import TesseraSystem

/// Runs jobs on a cluster: as an array of tasks, whose results appear in a folder that all machines
/// share, and a command that waits for them and stitches the pieces.
///
/// ``JobScheduler`` decides which failed tasks are retried, and without which tracks.
package struct ClusterExecutor<Work: Job, Machines: ClusterQueue>: Executor {
  package let slots: Int
  private let cluster: Machines
  private let folder: JobRecordFolder
  private let command: WorkerProgram
  private let isFinished: @Sendable (Work, _ part: Int?) -> Bool
  private let joining: StitchStep?
  /// The interval between two queries of the queue.
  private let pause: Duration

  /// The command that stitches the pieces after all tasks have ended.
  package struct StitchStep: Sendable {
    let command: WorkerProgram
    let result: String

    /// Creates a step that is done when the file `result` exists.
    package init(_ command: WorkerProgram, result: String) {
      (self.command, self.result) = (command, result)
    }
  }

  /// Creates an executor whose tasks run `command` followed by a job's number in `folder`, up to
  /// `slots` at once. `isFinished` returns true if a part of a job exists, or the whole job if it
  /// has no parts.
  package init(
    _ cluster: Machines, folder: JobRecordFolder, command: WorkerProgram, slots: Int = 1000,
    joining: StitchStep? = nil, pause: Duration = .seconds(1),
    isFinished: @escaping @Sendable (Work, _ part: Int?) -> Bool
  ) {
    (self.cluster, self.folder, self.command) = (cluster, folder, command)
    (self.slots, self.joining, self.pause) = (slots, joining, pause)
    self.isFinished = isFinished
  }

  package func execute(
    _ jobs: [Work], cancellation: Cancellation,
    events: @escaping @Sendable (Work, JobEvent) -> Void,
    lost: @escaping @Sendable (Work, CrashedTrackLoss) throws(RenderError) -> Void
  ) async throws(RenderError) {
    guard !jobs.isEmpty else { return }
    if let joining { FileOperations.remove(joining.result) }
    try folder.put(jobs)
    let array = try await cluster.submit(
      ClusterSubmission(
        "tessera", command: command.words, count: jobs.count, atOnce: slots, folder: folder.path,
        log: logPath("%")))
    var queued = Submission(array: array, jobs)
    do throws(RenderError) {
      try await join(&queued)
      try await wait(for: &queued, cancellation, events, lost)
      try await waitForJoining(queued, cancellation)
    } catch {
      await cluster.cancel(queued.ids)
      throw error
    }
  }

  /// The state of one submission to the cluster.
  private struct Submission {
    let array: String
    /// The jobs in the order of their task numbers.
    let jobs: [Work]
    var joining: String?
    var scheduler: JobScheduler<Work>
    /// The current job of each task; nil once the task is done.
    var tasks: [JobScheduler<Work>.Assignment?]
    var ids: [String] { [array] + [joining].compactMap { $0 } }

    init(array: String, _ jobs: [Work]) {
      (self.array, self.jobs) = (array, jobs)
      // The cluster decides which jobs run: `JobScheduler` may start all of them.
      scheduler = JobScheduler(jobs, slots: jobs.count, retry: .whole)
      tasks = jobs.map { _ in nil }
      while let next = scheduler.next() { tasks[next.place] = next }
    }
  }

  private func logPath(_ task: String) -> String { "\(folder.path)/notes/cluster-\(task).log" }

  /// Submits the stitching command, which runs after all tasks.
  private func join(_ queued: inout Submission) async throws(RenderError) {
    guard let joining else { return }
    queued.joining = try await cluster.submit(
      ClusterSubmission(
        "tessera-stitch", command: joining.command.words, after: queued.array,
        folder: folder.path, log: logPath("stitch")))
  }

  private func wait(
    for queued: inout Submission, _ cancellation: Cancellation,
    _ events: (Work, JobEvent) -> Void,
    _ lost: (Work, CrashedTrackLoss) throws(RenderError) -> Void
  ) async throws(RenderError) {
    var reported: [Set<Int>] = queued.tasks.map { _ in [] }
    var suspects: Set<Int> = []
    while true {
      // Query the queue before the folder, so that a task that ends in between is found.
      let open = await cluster.open(queued.array, count: queued.tasks.count)
      if cancellation.isCancelled { throw .stopped(cancellation) }
      let unfinished = look(&queued, &reported, events)
      guard !unfinished.isEmpty else { return }
      // Files may become visible a moment after their task has left the queue.
      let gone = unfinished.subtracting(open)
      let failed = gone.intersection(suspects)
      suspects = gone.subtracting(failed)
      for task in failed.sorted() { try await again(task, &queued, lost) }
      if !failed.isEmpty, let waiting = queued.joining {
        // The stitching command depends on tasks that failed, and would wait forever.
        await cluster.cancel([waiting])
        try await join(&queued)
      }
      try await cancellation.sleep(for: pause)
    }
  }

  /// Reports newly finished parts. Returns the tasks that are not finished.
  private func look(
    _ queued: inout Submission, _ reported: inout [Set<Int>], _ events: (Work, JobEvent) -> Void
  ) -> Set<Int> {
    var unfinished: Set<Int> = []
    for (number, task) in queued.tasks.enumerated() {
      guard let task else { continue }
      var isDone = true
      if let parts = task.job.parts {
        for part in parts where !reported[number].contains(part) {
          guard isFinished(task.job, part) else {
            isDone = false
            continue
          }
          reported[number].insert(part)
          events(task.job, .finished(part: part))
          if isDone { queued.scheduler.finished(part: part, of: task.id) }
        }
      } else {
        isDone = isFinished(task.job, nil)
      }
      if isDone {
        _ = queued.scheduler.ended(task.id, .finished)
        queued.tasks[number] = nil
      } else {
        unfinished.insert(number)
      }
    }
    return unfinished
  }

  /// Retries a task that ended without all of its files.
  private func again(
    _ number: Int, _ queued: inout Submission,
    _ lost: (Work, CrashedTrackLoss) throws(RenderError) -> Void
  ) async throws(RenderError) {
    guard let task = queued.tasks[number] else { return }
    let note = folder.notePath(queued.jobs[number])
    let death = WorkerDeath(nil, note: note)
    FileOperations.remove(note)
    switch queued.scheduler.ended(task.id, .died(death)) {
    case .nothing: break
    case .failure(let error): throw error
    case .loss(let job, let loss): try lost(job, loss)
    case .diedTwice(let job, let manners):
      throw RenderError(
        manners.contains(where: WorkerDeath.isTransient) ? .temporary : .failure,
        "a task of the cluster failed twice at \(job) (\(manners.joined(separator: ", then "))); its "
          + "log is \(file: logPath("\(number)")). Finished work is kept: the same command "
          + "resumes.")
    }
    while let next = queued.scheduler.next() {
      queued.tasks[next.place] = next
      try await cluster.requeue(queued.array, next.place)
    }
  }

  private func waitForJoining(
    _ queued: Submission, _ cancellation: Cancellation
  ) async throws(RenderError) {
    guard let joining, let id = queued.joining else { return }
    var isSuspect = false
    while true {
      let isOpen = await cluster.isOpen(id)
      if FileOperations.exists(joining.result) { return }
      if cancellation.isCancelled { throw .stopped(cancellation) }
      guard isOpen || !isSuspect else {
        throw RenderError(
          .failure,
          "\(cluster.name) did not join the pieces; the log is \(file: logPath("stitch")). Finished "
            + "work is kept: the same command resumes.")
      }
      isSuspect = !isOpen
      try await cancellation.sleep(for: pause)
    }
  }
}

extension Cancellation {
  /// Waits for `duration`. Throws the error for stopped work if the task is canceled meanwhile.
  func sleep(for duration: Duration) async throws(RenderError) {
    do {
      try await Task.sleep(for: duration)
    } catch {
      throw .stopped(self)
    }
  }
}
