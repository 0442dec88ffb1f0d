import TesseraSystem

/// Runs jobs on threads of this process. A crash of a decoder ends the process.
package struct ThreadJobRunner<Does: JobHandler>: JobRunner {
  private let handler: Does

  package init(_ handler: Does) { self.handler = handler }

  package func complete(
    _ job: Does.Work, events: @escaping @Sendable (JobEvent) -> Void
  ) async -> JobOutcome {
    let cancellation = Cancellation()
    let handler = handler
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        _ = ThreadGroup(count: 1, name: "job") {
          do throws(RenderError) {
            try handler.perform(job, note: nil, cancellation: cancellation, events: events)
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
