import Dispatch
import Synchronization
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraSystem

/// Decodes tracks on a few threads, what is due first, a bounded number of pictures ahead of what
/// is being composed. A track is opened shortly before it is seen.
final class DecoderPool: Sendable {
  /// All tracks, those of each feed in a row.
  private let tracks: [PictureTrack]
  /// The places of each feed's tracks among them.
  private let feeds: [Range<Int>]
  /// Whether a recording is being decoded, by its number.
  private let isBusy: Mutex<[Bool]>
  /// What is composed now, in nanoseconds of the timeline.
  private let now = Atomic<Int>(.min / 2)
  private let isStopped = Atomic<Bool>(false)
  /// Counts reasons to look for work.
  private let work = DispatchSemaphore(value: 0)
  private let threadCount: Int

  /// A pool for the tracks of some feeds on `threadCount` threads.
  init(_ feeds: [[PictureTrack]], threadCount: Int) {
    tracks = feeds.flatMap { $0 }
    var ranges: [Range<Int>] = []
    for feed in feeds {
      let start = ranges.last?.upperBound ?? 0
      ranges.append(start..<start + feed.count)
    }
    self.feeds = ranges
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
      isBusy.withLock { $0[tracks[index].recording] = false }
      // Another feed may have waited for the recording.
      if feeds.count > 1 { work.signal() }
    }
  }

  private func takeMostUrgent() -> Int? {
    let now = now.load(ordering: .acquiring)
    return isBusy.withLock { isBusy in
      var (best, earliest) = (Int?.none, Int.max)
      for index in tracks.indices where !isBusy[tracks[index].recording] {
        let time = tracks[index].earliest
        if time <= now, time < earliest, tracks[index].entries.hasRoom {
          (best, earliest) = (index, time)
        }
      }
      if let best { isBusy[tracks[best].recording] = true }
      return best
    }
  }

  /// Ends ``run()`` on all threads.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    for _ in 0..<threadCount { work.signal() }
  }

  /// Takes all that the tracks of a feed show by `frame`: calls `show` for each entry with its
  /// track's number, in order. Waits for what is not decoded yet.
  func advance(_ feed: Int, to frame: Int, show: (Int, PictureTrack.Cursor.Entry) -> Void) {
    let own = feeds[feed]
    if let first = own.first {
      let time = tracks[first].time(ofFrame: frame)
      let before = now.exchange(time, ordering: .releasing)
      for track in tracks where track.earliest > before && track.earliest <= time {
        work.signal()
      }
    }
    for index in own { take(index, by: frame) { show(index - own.lowerBound, $0) } }
  }

  private func take(
    _ index: Int, by frame: Int, _ show: (PictureTrack.Cursor.Entry) -> Void
  ) {
    let track = tracks[index]
    while true {
      let isComplete = track.due > frame
      while let entry = track.entries.first, entry.frame <= frame {
        track.entries.take()
        show(entry)
      }
      if isComplete { return }
      giveRoom(track.entries.releaseAllButLast())
      track.signal.wait { track.due > frame || track.entries.first != nil }
    }
  }

  /// Gives back the room of the pictures that no canvas of a feed needs any more: all but the one
  /// that each track shows now.
  func release(_ feed: Int) {
    for track in tracks[feeds[feed]] { giveRoom(track.entries.releaseAllButLast()) }
  }

  private func giveRoom(_ count: Int) {
    for _ in 0..<count { work.signal() }
  }
}
