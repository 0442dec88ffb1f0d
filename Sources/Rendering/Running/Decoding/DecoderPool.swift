import Dispatch
import Synchronization
import TesseraMedia
import TesseraPixels
import TesseraSystem

/// Decodes tracks on a few threads, what is due first, a bounded number of pictures ahead of what is
/// being composed. A track is opened shortly before it is seen.
final class DecoderPool: Sendable {
  private let tracks: [PictureTrack]
  /// How many frames ahead of the composed one decoding may begin.
  private let lookahead: Int
  private let isBusy: Mutex<[Bool]>
  private let frame = Atomic<Int>(.min / 2)
  private let isStopped = Atomic<Bool>(false)
  /// Counts reasons to look for work.
  private let work = DispatchSemaphore(value: 0)
  private let threadCount: Int

  /// A pool for `tracks` on `threadCount` threads.
  init(_ tracks: [PictureTrack], lookahead: Int, threadCount: Int) {
    self.tracks = tracks
    self.lookahead = lookahead
    self.threadCount = threadCount
    isBusy = Mutex(Array(repeating: false, count: tracks.count))
  }

  /// Decodes until ``stop()`` is called. Any number of threads may.
  func run() {
    while !isStopped.load(ordering: .acquiring) {
      guard let index = takeMostUrgent() else {
        work.wait()
        continue
      }
      tracks[index].advance()
      isBusy.withLock { $0[index] = false }
    }
  }

  private func takeMostUrgent() -> Int? {
    let horizon = frame.load(ordering: .acquiring) + lookahead
    return isBusy.withLock { isBusy in
      var (best, bestDue) = (Int?.none, Int.max)
      for index in tracks.indices where !isBusy[index] {
        let due = tracks[index].due
        if due <= horizon, due < bestDue, tracks[index].pictures.hasRoom {
          (best, bestDue) = (index, due)
        }
      }
      if let best { isBusy[best] = true }
      return best
    }
  }

  /// Ends ``run()`` on all threads and unblocks ``advance(to:_:)``.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    for _ in 0..<threadCount { work.signal() }
    for track in tracks { track.signal.wake() }
  }

  /// Takes all pictures that are shown by `frame`: calls `show` for each with its track's number, in
  /// order. Waits for those that are not decoded yet; false where the pool was stopped.
  func advance(to frame: Int, show: (Int, Picture) -> Void) -> Bool {
    let before = self.frame.exchange(frame, ordering: .releasing) + lookahead
    for track in tracks where track.due > before && track.due <= frame + lookahead {
      work.signal()
    }
    for index in tracks.indices {
      guard take(index, by: frame, show) else { return false }
    }
    return true
  }

  private func take(_ index: Int, by frame: Int, _ show: (Int, Picture) -> Void) -> Bool {
    let track = tracks[index]
    while true {
      let isComplete = track.due > frame
      while let entry = track.pictures.first, entry.frame <= frame {
        track.pictures.take()
        show(index, entry.picture)
      }
      if isComplete { return true }
      giveRoom(track.pictures.releaseAllButLast())
      track.signal.wait {
        track.due > frame || track.pictures.first != nil
          || isStopped.load(ordering: .acquiring)
      }
      guard !isStopped.load(ordering: .acquiring) else { return false }
    }
  }

  /// Gives back the room of the pictures that no canvas needs any more: all but the one that each
  /// track shows now.
  func release() {
    for track in tracks { giveRoom(track.pictures.releaseAllButLast()) }
  }

  private func giveRoom(_ count: Int) {
    for _ in 0..<count { work.signal() }
  }
}
