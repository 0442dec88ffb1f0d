import TesseraJobs
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraSystem
import TesseraTimeline

/// What a track shows at an instant.
enum TrackContent {
  /// Nothing yet.
  case nothing
  case picture(Picture)
  /// What it should show is lost.
  case lost
}

/// Pictures of all tracks for one instant after the other, each decoded once, ahead of time and on
/// threads of its own.
///
/// At a cut, every track begins as in a run that begins there.
struct FrameFeed: ~Copyable {
  /// What the tracks show now, in the input's order.
  private(set) var contents: [TrackContent]

  private let input: SegmentInput
  private let tracks: [PictureTrack]
  private let pool: DecoderPool
  private let threads: WorkerThreads
  private let cuts: [Int]
  private var passedCuts = 0

  /// Where a feed is cut, and what is counted apart.
  struct Course {
    /// The frames before which it is cut, ascending.
    var cuts: [Int] = []
    /// The first frame of every part that is counted apart, but for the first part.
    var parts: [Int] = []
  }

  /// A feed of `input` for `frames`, all counted from the input's first one; `note` says what is
  /// being decoded.
  init(
    _ input: SegmentInput, frames: FrameSelection, _ course: Course, note: CrashNote?,
    cancellation: Cancellation
  ) {
    let (rate, ranges) = (input.output.video.frameRate, frames.ranges)
    (self.input, cuts) = (input, course.cuts)
    contents = Array(repeating: .nothing, count: input.tracks.count)
    tracks = input.tracks.map { track in
      PictureTrack(
        track,
        PictureWindow.windows(
          of: track.wanted, in: ranges, cuts: course.cuts, lost: track.lostFrom ?? .max,
          needed: track.windows),
        frameRate: rate, tally: PictureTally(starts: course.parts),
        note: note.map { TrackNote(note: $0, track: track.id, origin: input.origin) },
        cancellation: cancellation)
    }
    // A second: what a decoder needs at most to come from a keyframe to where it is wanted.
    let lookahead = max(1, rate.firstFrame(showing: MediaTime(seconds: 1)))
    let threadCount = max(1, min(Machine.cores, tracks.count))
    let pool = DecoderPool(tracks, lookahead: lookahead, threadCount: threadCount)
    self.pool = pool
    threads = WorkerThreads(count: threadCount, name: "decoder") { pool.run() }
  }

  deinit {
    pool.stop()
    threads.join()
  }

  /// Brings ``contents`` to what `frame` shows, which is after all frames before, and returns
  /// whether the feed is cut in between. Waits for what is not decoded yet.
  mutating func advance(to frame: Int) -> Bool {
    let earlier = passedCuts
    while passedCuts < cuts.count, cuts[passedCuts] <= frame { passedCuts += 1 }
    if passedCuts > earlier {
      for index in contents.indices { contents[index] = .nothing }
    }
    pool.advance(to: frame) { index, entry in
      contents[index] = entry.picture.map { .picture($0) } ?? .lost
    }
    return passedCuts > earlier
  }

  /// Lets decoding go on into the room of what no canvas needs any more.
  func release() { pool.release() }

  /// How many pictures were decoded, for whatever frame.
  var decodedCount: Int { tracks.reduce(0) { $0 + $1.decodedCount } }

  /// What each track's pictures came to in a part of the frames.
  func tallies(ofPart part: Int) -> [(track: SegmentInput.Track, PictureTally.Part)] {
    zip(input.tracks, tracks).map { ($0, $1.tally.parts[part]) }
  }
}
