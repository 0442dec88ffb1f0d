public import TesseraSystem

/// Does jobs somewhere: in this process, in other ones, on a cluster.
public protocol Executor: Sendable {
  /// How many jobs it does at once, at most; the planner makes enough of them.
  var slots: Int { get }

  /// Does all jobs, in any order, and returns when they are done.
  ///
  /// `events` hears what happens to which job, from any thread. `lost` is called, before a segment
  /// is made without a track that brought workers down, what has to be written down; the next
  /// attempt reads it.
  ///
  /// - Throws: where one cannot be done, and once `cancellation` is asked for; all others are
  ///   stopped then.
  func execute(
    _ jobs: [RenderJob], cancellation: Cancellation,
    events: @escaping @Sendable (RenderJob, JobEvent) -> Void,
    lost: @escaping @Sendable (RenderJob, CrashLoss) throws(RenderError) -> Void
  ) async throws(RenderError)
}

/// Does one job on this machine.
protocol JobRunner: Sendable {
  /// Does the job; a task that is cancelled stops it.
  func run(_ job: RenderJob, events: @escaping @Sendable (JobEvent) -> Void) async -> JobEnd
}

/// Does jobs on this machine, several at once.
struct LocalExecutor<Runner: JobRunner>: Executor {
  let slots: Int
  let runner: Runner
  /// What errors call a job.
  var describe: @Sendable (RenderJob) -> String = { $0.description }

  /// How often it is looked whether somebody asked to stop.
  private static var pause: Duration { .milliseconds(50) }

  func execute(
    _ jobs: [RenderJob], cancellation: Cancellation,
    events: @escaping @Sendable (RenderJob, JobEvent) -> Void,
    lost: @escaping @Sendable (RenderJob, CrashLoss) throws(RenderError) -> Void
  ) async throws(RenderError) {
    let board = Monitor(JobBoard(jobs, slots: slots, describe: describe))
    let failure: RenderError? = await withTaskGroup(of: Ended.self) { group in
      group.addTask {
        while !cancellation.isCancelled, (try? await Task.sleep(for: Self.pause)) != nil {}
        return .watch
      }
      var failure: RenderError?
      while failure == nil {
        while let assignment = board.withLock({ $0.next() }) {
          group.addTask { .job(assignment, await run(assignment, board, events)) }
        }
        if board.withLock({ $0.isDone }) { break }
        switch await group.next() {
        case .job(let assignment, let end):
          switch board.withLock({ $0.ended(assignment.id, end) }) {
          case .nothing: break
          case .failure(let error): failure = error
          case .loss(let job, let loss):
            do throws(RenderError) {
              try lost(job, loss)
            } catch {
              failure = error
            }
          }
        case .watch, nil: failure = .stopped(cancellation)
        }
      }
      group.cancelAll()
      return failure
    }
    if let failure { throw failure }
    if cancellation.isCancelled { throw .stopped(cancellation) }
  }

  private enum Ended: Sendable {
    case watch
    case job(JobBoard.Assignment, JobEnd)
  }

  private func run(
    _ assignment: JobBoard.Assignment, _ board: Monitor<JobBoard>,
    _ events: @escaping @Sendable (RenderJob, JobEvent) -> Void
  ) async -> JobEnd {
    await runner.run(assignment.job) { event in
      if case .finished(let segment) = event {
        board.withLock { $0.finished(segment: segment, of: assignment.id) }
      }
      events(assignment.job, event)
    }
  }
}
