import TesseraMedia
import TesseraPixels
import TesseraSystem

/// Decodes all participants' pictures on a few threads, a bounded number of pictures ahead of
/// what is being composed: the emptiest queue first.
final class DecoderPool: Sendable {
  /// Pictures that each participant may have waiting; with these, memory is bounded.
  static let queueCapacity = 2

  private struct State {
    var queues: [PictureQueue]
    var isBusy: [Bool]
    var isStopped = false

    /// The participant to decode for next.
    func mostUrgent() -> Int? {
      var best: Int?
      for index in queues.indices where !isBusy[index] && queues[index].isOpen {
        if best.map({ queues[index].count < queues[$0].count }) ?? true { best = index }
      }
      return best
    }

    var isFinished: Bool { isStopped || queues.allSatisfy { $0.end != nil } }
  }

  private let tracks: [PictureTrack?]
  private let monitor: Monitor<State>

  /// A pool for `tracks`, nil for who has no pictures.
  init(_ tracks: [PictureTrack?]) {
    self.tracks = tracks
    let queues = tracks.map { track in
      var queue = PictureQueue(capacity: Self.queueCapacity)
      if track == nil { queue.finish(PictureQueue.End()) }
      return queue
    }
    monitor = Monitor(
      State(queues: queues, isBusy: Array(repeating: false, count: tracks.count)))
  }

  /// Decodes until everything is decoded or ``stop()`` is called. Any number of threads may.
  func run() {
    while let index = monitor.wait(until: { state -> Int?? in
      if state.isFinished { return .some(nil) }
      guard let index = state.mostUrgent() else { return nil }
      state.isBusy[index] = true
      return index
    }) {
      guard let track = tracks[index] else { continue }
      let step = track.advance()
      monitor.update { state in
        state.isBusy[index] = false
        switch step {
        case .picture(let entry): state.queues[index].append(entry)
        case .end(let end): state.queues[index].finish(end)
        }
      }
    }
  }

  /// Ends ``run()`` on all threads and unblocks ``advance(to:_:)``.
  func stop() { monitor.update { $0.isStopped = true } }

  /// Takes all pictures that are shown by `frame`: calls `show` for each, in order, and `end`
  /// for a participant without further pictures. Waits for those that are not decoded yet; false
  /// where the pool was stopped.
  func advance(
    to frame: Int, show: (Int, Picture) -> Void, end: (Int, PictureQueue.End) -> Void
  ) -> Bool {
    for index in tracks.indices where tracks[index] != nil {
      var progress = Progress.madeRoom
      while progress == .madeRoom {
        progress = monitor.wait { state -> Progress? in
          var hasTaken = false
          while let entry = state.queues[index].take(by: frame) {
            show(index, entry.picture)
            hasTaken = true
          }
          if state.isStopped { return .stopped }
          if state.queues[index].count > 0 { return .isComplete }
          guard let ended = state.queues[index].end else { return hasTaken ? .madeRoom : nil }
          end(index, ended)
          return .isComplete
        }
        // Whoever decodes may wait for the room that was made.
        if progress == .madeRoom { monitor.update { _ in } }
      }
      guard progress == .isComplete else { return false }
    }
    monitor.update { _ in }
    return true
  }

  /// How far taking one participant's pictures for a frame has come.
  private enum Progress {
    /// All that there were are taken, and more may be shown by the same frame.
    case madeRoom
    case isComplete
    case stopped
  }
}

extension PictureQueue {
  fileprivate var isOpen: Bool { end == nil && !isFull }
}
