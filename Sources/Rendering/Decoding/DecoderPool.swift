import Dispatch
import Synchronization
import TesseraJobs
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraSystem

/// Decodes tracks on a few threads, what is due first, a bounded number of pictures ahead of what
/// is being composed. A track is opened shortly before it is seen.
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
        if due <= horizon, due < bestDue, tracks[index].entries.hasRoom {
          (best, bestDue) = (index, due)
        }
      }
      if let best { isBusy[best] = true }
      return best
    }
  }

  /// Ends ``run()`` on all threads.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    for _ in 0..<threadCount { work.signal() }
  }

  /// Takes all that tracks show by `frame`: calls `show` for each entry with its track's number, in
  /// order. Waits for what is not decoded yet.
  func advance(to frame: Int, show: (Int, PictureTrack.Cursor.Entry) -> Void) {
    let before = self.frame.exchange(frame, ordering: .releasing) + lookahead
    for track in tracks where track.due > before && track.due <= frame + lookahead {
      work.signal()
    }
    for index in tracks.indices { take(index, by: frame, show) }
  }

  private func take(
    _ index: Int, by frame: Int, _ show: (Int, PictureTrack.Cursor.Entry) -> Void
  ) {
    let track = tracks[index]
    while true {
      let isComplete = track.due > frame
      while let entry = track.entries.first, entry.frame <= frame {
        track.entries.take()
        show(index, entry)
      }
      if isComplete { return }
      giveRoom(track.entries.releaseAllButLast())
      track.signal.wait { track.due > frame || track.entries.first != nil }
    }
  }

  /// Gives back the room of the pictures that no canvas needs any more: all but the one that each
  /// track shows now.
  func release() {
    for track in tracks { giveRoom(track.entries.releaseAllButLast()) }
  }

  private func giveRoom(_ count: Int) {
    for _ in 0..<count { work.signal() }
  }
}
