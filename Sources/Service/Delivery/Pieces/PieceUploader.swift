import Glibc
import TesseraSystem

/// Uploads pieces on a background thread while others are made. ``ObjectStore`` retries failed
/// requests; this queue never does.
package final class PieceUploader: Sendable {
  private struct State {
    var waiting: [RenderPiece] = []
    var isUploading = false
    var isClosed = false
    var error: (any Error)?
  }

  private let state = ConditionLock(State())
  private let thread: ThreadGroup

  /// Seconds that uploads may take after a request to stop. Schedulers kill a process 10 s or more
  /// after their first signal.
  private static let patience = 8.0

  /// Starts the thread, which calls `upload` for each piece in order. If a call throws, the thread
  /// calls `failed` and ends.
  package init(
    _ upload: @escaping @Sendable (RenderPiece) throws -> Void,
    failed: @escaping @Sendable () -> Void
  ) {
    let state = state
    thread = ThreadGroup(count: 1, name: "upload") {
      while true {
        let piece: RenderPiece? = state.wait { state -> RenderPiece?? in
          if let next = state.waiting.first {
            state.waiting.removeFirst()
            state.isUploading = true
            return .some(next)
          }
          return state.isClosed ? .some(nil) : nil
        }
        guard let piece else { return }
        do {
          try upload(piece)
          state.update { $0.isUploading = false }
        } catch {
          state.update { state in
            (state.isUploading, state.isClosed, state.waiting) = (false, true, [])
            state.error = error
          }
          failed()
          return
        }
      }
    }
  }

  /// Queues a finished piece. Ignored after ``finish(stopped:giveUp:)`` or a failure.
  package func add(_ piece: RenderPiece) {
    state.update { if !$0.isClosed { $0.waiting.append(piece) } }
  }

  /// Waits until all queued pieces are uploaded. Calls `giveUp` if `stopped` has been true for 8 s.
  ///
  /// - Throws: the error of the failed upload.
  package func finish(stopped: () -> Bool, giveUp: () -> Void) throws {
    state.update { $0.isClosed = true }
    var patience = Self.patience
    while state.withLock({ $0.isUploading || !$0.waiting.isEmpty }) {
      usleep(20_000)
      guard stopped(), patience > 0 else { continue }
      patience -= 0.02
      if patience <= 0 { giveUp() }
    }
    thread.join()
    if let error = state.withLock({ $0.error }) { throw error }
  }
}
