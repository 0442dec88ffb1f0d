import TesseraSystem

/// Runs jobs on threads of this process. A crash of a decoder ends the process.
package struct ThreadRunner<Does: JobHandler>: JobRunner {
  private let performer: Does

  package init(_ performer: Does) { self.performer = performer }

  package func complete(
    _ job: Does.Work, events: @escaping @Sendable (JobEvent) -> Void
  ) async -> JobOutcome {
    let cancellation = Cancellation()
    let performer = performer
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        _ = WorkerThreads(count: 1, name: "job") {
          do throws(RenderError) {
            try performer.perform(job, note: nil, cancellation: cancellation, events: events)
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
