import Dispatch
import Synchronization
import TesseraCodecs
import TesseraPlan
import TesseraSystem
import TesseraTimeline

/// Decodes all pictures that are composed at one time from one call, on a few threads: the most
/// urgent track first, and a bounded number of pictures ahead of composition.
///
/// A recording that several feeds show is decoded once. A track is opened shortly before it is
/// visible. Each member has one ``PictureFeed``. The threads retain the pool, and end with the last
/// feed.
final class PictureDecodePool: Sendable {
  /// A feed of the pool: the frames of one rendition that are composed.
  struct DecodeRequest {
    /// Everything that rendering the frames reads.
    let input: SegmentInput
    /// The frames to compose, counted from the input's first frame.
    let frames: FrameSelection
    /// The cuts of the feed, and its parts with separate statistics.
    var course = PictureFeed.Ranges()
    /// Returns the slot of a track in the crash note.
    var slot: (TrackID) -> Int = \.slot
  }

  /// The tracks of each feed, in its input's order.
  let tracks: [[PicturePrefetcher]]
  private let recordings: [SharedPictureDecoder]
  /// For each recording, true if a thread is decoding it.
  private let isBusy: Mutex<[Bool]>
  /// The time being composed, in nanoseconds of the timeline.
  private let now = Atomic<Int>(.min / 2)
  /// Number of feeds that still exist.
  private let feedCount: Atomic<Int>
  private let isStopped = Atomic<Bool>(false)
  /// Signaled when there may be work.
  private let work = DispatchSemaphore(value: 0)
  private let threadCount: Int
  private let threads = Mutex<ThreadGroup?>(nil)

  /// Creates a pool for `members` and starts its threads. `note` records what they decode.
  init(_ members: [DecodeRequest], note: CrashNote?, cancellation: Cancellation) {
    var known: [SharedPictureDecoder.RecordingKey: SharedPictureDecoder] = [:]
    tracks = members.map { member in
      member.input.tracks.map { track in
        let key = SharedPictureDecoder.RecordingKey(track.source)
        let pictures =
          known[key] ?? SharedPictureDecoder(number: known.count, cancellation: cancellation)
        known[key] = pictures
        return PicturePrefetcher(track, of: member, pictures, note: note)
      }
    }
    recordings = Array(known.values)
    isBusy = Mutex(Array(repeating: false, count: recordings.count))
    feedCount = Atomic(members.count)
    threadCount = min(MachineResources.cores, recordings.count)
    let threads = ThreadGroup(count: threadCount, name: "decoder") { [self] in run() }
    self.threads.withLock { $0 = threads }
  }

  /// Number of pictures that were decoded for all feeds.
  var decodedCount: Int { recordings.reduce(0) { $0 + $1.decodedCount } }

  /// Decodes until the last feed has ended.
  private func run() {
    while !isStopped.load(ordering: .acquiring) {
      guard let track = takeMostUrgent() else {
        work.wait()
        continue
      }
      track.advance()
      isBusy.withLock { $0[track.recording] = false }
      // Another feed may be waiting for the recording.
      if tracks.count > 1 { work.signal() }
    }
  }

  private func takeMostUrgent() -> PicturePrefetcher? {
    let now = now.load(ordering: .acquiring)
    return isBusy.withLock { isBusy in
      var (best, earliest) = (PicturePrefetcher?.none, Int.max)
      for track in tracks.joined() where !isBusy[track.recording] {
        let time = track.earliest
        if time <= now, time < earliest, track.entries.hasRoom { (best, earliest) = (track, time) }
      }
      if let best { isBusy[best.recording] = true }
      return best
    }
  }

  /// Ends a feed. The last one stops the threads and waits for them.
  func leave() {
    guard feedCount.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    isStopped.store(true, ordering: .releasing)
    giveRoom(threadCount)
    threads.withLock { $0.take() }?.join()
  }

  /// Takes all entries of a feed's tracks up to `frame`, and calls `show` for each with its track's
  /// index, in order. Blocks until they are decoded.
  func advance(
    _ feed: Int, to frame: Int, show: (Int, PicturePrefetcher.Cursor.FrameContent) -> Void
  ) {
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
    _ track: PicturePrefetcher, by frame: Int,
    _ show: (PicturePrefetcher.Cursor.FrameContent) -> Void
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

  /// Returns the queue space of all pictures of a feed except those that its tracks show now.
  func release(_ feed: Int) {
    for track in tracks[feed] { giveRoom(track.entries.releaseAllButLast()) }
  }

  private func giveRoom(_ count: Int) {
    for _ in 0..<count { work.signal() }
  }
}
