import TesseraMedia
import TesseraPlan
import TesseraSystem
import TesseraTimeline

/// The decoders of all that is composed at one time from one call: what several feeds show of one
/// recording is decoded once. Threads of their own run them until the group goes.
final class FeedGroup: Sendable {
  /// What one feed is to show.
  struct Member {
    /// What it is made from.
    let input: SegmentInput
    /// The frames that are shown.
    let frames: FrameCut
    /// Where it is cut.
    var course = FrameFeed.Course()
    /// The slot of a track in the note of what is being decoded.
    var slot: (TrackID) -> Int = \.slot
  }

  /// The tracks of each feed, in its input's order.
  let tracks: [[PictureTrack]]
  /// What decodes them.
  let pool: DecoderPool
  private let supply: PictureSupply
  private let threads: WorkerThreads

  /// A group for `members`; `note` says what is being decoded.
  init(_ members: [Member], note: CrashNote?, cancellation: Cancellation) {
    let supply = PictureSupply(
      members.flatMap(\.input.tracks).map(\.source), cancellation: cancellation)
    tracks = members.map { member in
      member.input.tracks.map { PictureTrack($0, of: member, supply, note: note) }
    }
    let threadCount = max(1, min(Machine.cores, supply.count))
    let pool = DecoderPool(tracks, threadCount: threadCount)
    (self.supply, self.pool) = (supply, pool)
    threads = WorkerThreads(count: threadCount, name: "decoder") { pool.run() }
  }

  deinit {
    pool.stop()
    threads.join()
  }

  /// How many pictures were decoded, for whatever frame.
  var decodedCount: Int { supply.decodedCount }
}
