import Glibc
import TesseraStorage
import TesseraSystem

/// Uploads pieces on a thread of its own while others are made.
package final class PieceUploads: Sendable {
  private struct State {
    var waiting: [Piece] = []
    var isUploading = false
    var isClosed = false
    var error: (any Error)?
  }

  private let state = ConditionLock(State())
  private let thread: WorkerThreads

  /// The seconds that uploads may take after somebody asked to stop: schedulers kill ten seconds
  /// after they have asked for the first time, or later.
  private static let patience = 8.0

  /// Has `upload` called for each piece, one after the other, until one fails; `failed` is called
  /// then.
  package init(
    _ upload: @escaping @Sendable (Piece) throws -> Void, failed: @escaping @Sendable () -> Void
  ) {
    let state = state
    thread = WorkerThreads(count: 1, name: "upload") {
      while true {
        let piece: Piece? = state.wait { state -> Piece?? in
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

  /// Has a finished piece uploaded.
  package func add(_ piece: Piece) {
    state.update { if !$0.isClosed { $0.waiting.append(piece) } }
  }

  /// Waits until all pieces are up; once `stopped` says that somebody asked to stop, not for long,
  /// and `giveUp` is called then.
  ///
  /// - Throws: why one is not.
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
