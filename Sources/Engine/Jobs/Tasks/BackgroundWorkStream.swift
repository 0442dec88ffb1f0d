package import TesseraSystem

/// The progress of work on a thread of its own, as a stream for one task.
package struct BackgroundWorkStream<Element: Sendable> {
  /// The work. It stops when its first argument is canceled, and calls its second argument with
  /// each update.
  package typealias Operation =
    @Sendable (
      Cancellation, @escaping @Sendable (Element) -> Void
    ) throws(RenderError) -> Void

  private var updates: AsyncThrowingStream<Element, any Error>.Iterator
  private let end = WorkCompletionSignal()

  /// Starts `work` on a thread called `name`.
  package init(name: String, _ work: @escaping Operation) {
    let (cancellation, end) = (Cancellation(), end)
    updates = AsyncThrowingStream { continuation in
      continuation.onTermination = { _ in cancellation.cancel() }
      _ = ThreadGroup(count: 1, name: name) {
        do throws(RenderError) {
          try work(cancellation) { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
        end.come()
      }
    }.makeAsyncIterator()
  }

  /// Returns the next update; nil after the last one.
  ///
  /// - Throws: ``RenderError`` if the work fails, and `CancellationError` if the task was
  ///   canceled, after the work has ended.
  package mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
    do {
      let update = try await updates.next(isolation: actor)
      if update == nil, Task.isCancelled {
        await end.wait(isolation: actor)
        throw CancellationError()
      }
      return update
    } catch let error as RenderError {
      guard error.kind == .cancelled, Task.isCancelled else { throw error }
      throw CancellationError()
    }
  }

  /// Runs `work` on a thread of its own and returns its result.
  ///
  /// - Throws: ``RenderError`` if the work fails, and `CancellationError` if the task was
  ///   canceled.
  package static func value(
    name: String,
    _ work: @escaping @Sendable (Cancellation) throws(RenderError) -> Element
  ) async throws -> Element {
    var updates = BackgroundWorkStream(name: name) { cancellation, report throws(RenderError) in
      report(try work(cancellation))
    }
    guard let value = try await updates.next(isolation: nil) else { throw CancellationError() }
    return value
  }
}

/// Signals the end of the work, for which canceled tasks wait, too.
private final class WorkCompletionSignal: Sendable {
  private struct State {
    var isThere = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = ConditionLock(State())

  func come() {
    let waiting = state.withLock { state in
      state.isThere = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait(isolation actor: isolated (any Actor)?) async {
    await withCheckedContinuation(isolation: actor) { continuation in
      let isThere = state.withLock { state in
        if !state.isThere { state.waiting.append(continuation) }
        return state.isThere
      }
      if isThere { continuation.resume() }
    }
  }
}
