import Dispatch
import Synchronization
import TesseraCodecs
import TesseraPixels
import TesseraPlan
import TesseraSystem
import TesseraTimeline

/// Decodes all that is composed at one time from one call, on a few threads, what is due first, a
/// bounded number of pictures ahead of what is being composed. What several feeds show of one
/// recording is decoded once. A track is opened shortly before it is seen.
///
/// Each member is shown by one ``FrameFeed``. The threads hold the supply, and end with the last
/// feed.
final class PictureSupply: Sendable {
  /// The part of one feed.
  struct Member {
    /// The plan's values for the frames.
    let input: SegmentInput
    /// The frames that are shown.
    let frames: FrameCut
    /// The frames before which it is cut.
    var course = FrameFeed.Course()
    /// The slot of a track in the note of what is being decoded.
    var slot: (TrackID) -> Int = \.slot
  }

  /// The tracks of each feed, in its input's order.
  let tracks: [[PictureTrack]]
  private let recordings: [SharedPictures]
  /// True for a recording that is being decoded, by its number.
  private let isBusy: Mutex<[Bool]>
  /// The time that is composed, in nanoseconds of the timeline.
  private let now = Atomic<Int>(.min / 2)
  /// Feeds that are not gone.
  private let feedCount: Atomic<Int>
  private let isStopped = Atomic<Bool>(false)
  /// Counts reasons to look for work.
  private let work = DispatchSemaphore(value: 0)
  private let threadCount: Int
  private let threads = Mutex<WorkerThreads?>(nil)

  /// A supply for `members`; `note` says what is being decoded.
  init(_ members: [Member], note: CrashNote?, cancellation: Cancellation) {
    var known: [SharedPictures.Key: SharedPictures] = [:]
    tracks = members.map { member in
      member.input.tracks.map { track in
        let key = SharedPictures.Key(track.source)
        let pictures =
          known[key] ?? SharedPictures(number: known.count, cancellation: cancellation)
        known[key] = pictures
        return PictureTrack(track, of: member, pictures, note: note)
      }
    }
    recordings = Array(known.values)
    isBusy = Mutex(Array(repeating: false, count: recordings.count))
    feedCount = Atomic(members.count)
    threadCount = min(Machine.cores, recordings.count)
    let threads = WorkerThreads(count: threadCount, name: "decoder") { [self] in run() }
    self.threads.withLock { $0 = threads }
  }

  /// The number of pictures that were decoded, for whatever frame.
  var decodedCount: Int { recordings.reduce(0) { $0 + $1.decodedCount } }

  /// Decodes until the last feed is gone.
  private func run() {
    while !isStopped.load(ordering: .acquiring) {
      guard let track = takeMostUrgent() else {
        work.wait()
        continue
      }
      track.advance()
      isBusy.withLock { $0[track.recording] = false }
      // Another feed may have waited for the recording.
      if tracks.count > 1 { work.signal() }
    }
  }

  private func takeMostUrgent() -> PictureTrack? {
    let now = now.load(ordering: .acquiring)
    return isBusy.withLock { isBusy in
      var (best, earliest) = (PictureTrack?.none, Int.max)
      for track in tracks.joined() where !isBusy[track.recording] {
        let time = track.earliest
        if time <= now, time < earliest, track.entries.hasRoom { (best, earliest) = (track, time) }
      }
      if let best { isBusy[best.recording] = true }
      return best
    }
  }

  /// Notes that a feed shows no more; with the last one, ends the threads and waits for them.
  func leave() {
    guard feedCount.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    isStopped.store(true, ordering: .releasing)
    giveRoom(threadCount)
    threads.withLock { $0.take() }?.join()
  }

  /// Takes all that the tracks of a feed show by `frame`: calls `show` for each entry with its
  /// track's number, in order. Waits for what is not decoded yet.
  func advance(_ feed: Int, to frame: Int, show: (Int, PictureTrack.Cursor.Entry) -> Void) {
    let own = tracks[feed]
    if let first = own.first {
      let time = first.time(ofFrame: frame)
      let before = now.exchange(time, ordering: .releasing)
      for track in tracks.joined() where track.earliest > before && track.earliest <= time {
        work.signal()
      }
    }
    for (index, track) in own.enumerated() { take(track, by: frame) { show(index, $0) } }
  }

  private func take(
    _ track: PictureTrack, by frame: Int, _ show: (PictureTrack.Cursor.Entry) -> Void
  ) {
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
    for track in tracks[feed] { giveRoom(track.entries.releaseAllButLast()) }
  }

  private func giveRoom(_ count: Int) {
    for _ in 0..<count { work.signal() }
  }
}
