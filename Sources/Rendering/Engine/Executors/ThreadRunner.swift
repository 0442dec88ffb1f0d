import TesseraSystem

/// Does jobs on threads of this process, where a crash ends everything.
struct ThreadRunner: JobRunner {
  /// Does a job; returns early once the cancellation is asked for.
  typealias Perform =
    @Sendable (RenderJob, Cancellation, @escaping @Sendable (JobEvent) -> Void) throws(RenderError)
    -> Void

  let perform: Perform

  func run(_ job: RenderJob, events: @escaping @Sendable (JobEvent) -> Void) async -> JobEnd {
    let cancellation = Cancellation()
    let perform = perform
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        _ = WorkerThreads(count: 1, name: "job") {
          do throws(RenderError) {
            try perform(job, cancellation, events)
            continuation.resume(returning: cancellation.isCancelled ? .stopped : .finished)
          } catch {
            continuation.resume(returning: cancellation.isCancelled ? .stopped : .failed(error))
          }
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
