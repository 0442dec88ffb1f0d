import TesseraMessages
package import TesseraSystem

/// Runs one job at a time on this machine, in a process or a thread.
package protocol JobRunner<Work>: Sendable {
  associatedtype Work: Job

  /// Runs `job` to its end. Canceling the calling task stops the job.
  func complete(_ job: Work, events: @escaping @Sendable (JobEvent) -> Void) async -> JobOutcome
}

/// Runs jobs on this machine, several at once. ``JobScheduler`` decides which job starts next and
/// how jobs are retried.
package struct LocalExecutor<Runner: JobRunner>: Executor {
  package typealias Work = Runner.Work

  package let slots: Int
  private let runner: Runner
  /// Estimated bytes of memory of a job, for sharing the machine with other calls.
  private let memory: Int
  /// Returns the name of a job for error messages.
  private let describe: @Sendable (Work) -> String
  /// Makes a running job end before a part; nil if jobs cannot be shortened.
  private let shorten: (@Sendable (Work, Int) -> Void)?

  /// Creates an executor of up to `slots` jobs at once. `describe` names jobs in error messages. If
  /// `shorten` is given, it makes a running job end before a part, and the job's last parts may
  /// move to a free slot.
  package init(
    slots: Int, memory: Int = ProcessorSlotClient.readingMemory, runner: Runner,
    describe: @escaping @Sendable (Work) -> String = { $0.description },
    shorten: (@Sendable (Work, Int) -> Void)? = nil
  ) {
    (self.slots, self.memory, self.runner) = (slots, memory, runner)
    (self.describe, self.shorten) = (describe, shorten)
  }

  /// Polling interval for cancellation: 50 ms.
  private static var pause: Duration { .milliseconds(50) }

  package func execute(
    _ jobs: [Work], cancellation: Cancellation,
    events: @escaping @Sendable (Work, JobEvent) -> Void,
    lost: @escaping @Sendable (Work, CrashedTrackLoss) throws(RenderError) -> Void
  ) async throws(RenderError) {
    let scheduler = ConditionLock(JobScheduler(jobs, slots: slots, halves: shorten != nil))
    let failure: RenderError? = await withTaskGroup(of: Completion.self) { group in
      group.addTask {
        while !cancellation.isCancelled, (try? await Task.sleep(for: Self.pause)) != nil {}
        return .watch
      }
      var failure: RenderError?
      while failure == nil {
        while let assignment = scheduler.withLock({ $0.next() }) {
          if let cut = assignment.shortened { shorten?(cut.job, cut.end) }
          group.addTask {
            let end = await ProcessorSlotClient.inSlot(memory: memory) {
              await runner.complete(assignment.job) { event in
                if case .finished(let part) = event {
                  scheduler.withLock { $0.finished(part: part, of: assignment.id) }
                }
                events(assignment.job, event)
              }
            }
            return .job(assignment, end ?? .stopped)
          }
        }
        if scheduler.withLock({ $0.isDone }) { break }
        switch await group.next() {
        case .job(let assignment, let end):
          failure = follow(scheduler.withLock { $0.ended(assignment.id, end) }, lost)
        case .watch, nil: failure = .stopped(cancellation)
        }
      }
      group.cancelAll()
      return failure
    }
    if let failure { throw failure }
    if cancellation.isCancelled { throw .stopped(cancellation) }
  }

  /// Carries out the action that follows the end of a job. Returns the error that ends all jobs, if
  /// any.
  private func follow(
    _ action: JobScheduler<Work>.ExecutorAction,
    _ lost: (Work, CrashedTrackLoss) throws(RenderError) -> Void
  ) -> RenderError? {
    switch action {
    case .nothing: return nil
    case .failure(let error): return error
    case .diedTwice(let job, let manners): return .diedTwice(describe(job), manners)
    case .loss(let job, let loss):
      do throws(RenderError) {
        try lost(job, loss)
        return nil
      } catch {
        return error
      }
    }
  }

  private enum Completion: Sendable {
    case watch
    case job(JobScheduler<Work>.Assignment, JobOutcome)
  }
}

extension RenderError {
  fileprivate static func diedTwice(_ job: String, _ manners: [String]) -> RenderError {
    RenderError(
      manners.contains(where: WorkerDeath.isTransient) ? .temporary : .failure,
      "a worker died twice at \(job) (\(manners.joined(separator: ", then "))); if memory ran out, "
        + "give \(option: "jobs") or \(option: "memory") a smaller number. Finished work is "
        + "kept: the same command resumes.")
  }
}
