import TesseraPixels
import TesseraPlan

/// The content of a track at an instant.
enum TrackContent {
  /// No picture yet.
  case nothing
  case picture(Picture)
  /// The pictures are lost; a card replaces them.
  case lost
}

/// The pictures of all tracks, frame after frame. Each picture is decoded once, ahead of time, on
/// other threads.
///
/// At a cut, every track behaves as in a run that starts there.
struct PictureFeed: ~Copyable {
  /// The tracks' contents in the current frame, in the input's order.
  private(set) var contents: [TrackContent]

  private let input: SegmentInput
  private let pool: PictureDecodePool
  /// The feed's index in the pool.
  private let number: Int
  private let cuts: [Int]
  private var passedCuts = 0

  /// The cuts of a feed, and its parts with separate statistics.
  struct Ranges {
    /// The frames at which every track must look as if decoding started there, ascending.
    var cuts: [Int] = []
    /// The first frame of every part with separate statistics, except the first part.
    var parts: [Int] = []
  }

  /// Creates the feed of `member`, which has index `number` in `pool`.
  init(_ member: PictureDecodePool.DecodeRequest, number: Int, of pool: PictureDecodePool) {
    (input, cuts) = (member.input, member.course.cuts)
    (self.pool, self.number) = (pool, number)
    contents = Array(repeating: .nothing, count: input.tracks.count)
  }

  deinit { pool.leave() }

  /// Advances ``contents`` to `frame` and returns true if a cut was crossed. `frame` must not
  /// decrease. Blocks until the pictures are decoded.
  mutating func advance(to frame: Int) -> Bool {
    let earlier = passedCuts
    while passedCuts < cuts.count, cuts[passedCuts] <= frame { passedCuts += 1 }
    if passedCuts > earlier {
      for index in contents.indices { contents[index] = .nothing }
    }
    pool.advance(number, to: frame) { index, entry in
      contents[index] = entry.picture.map { .picture($0) } ?? .lost
    }
    return passedCuts > earlier
  }

  /// Returns queue space of pictures that are no longer shown, so that decoding can continue.
  func release() { pool.release(number) }

  /// Returns the decoding results of each track, for one part of the frames.
  func tallies(ofPart part: Int) -> [(track: SegmentInput.Track, PictureStatistics.TimelinePart)] {
    zip(input.tracks, pool.tracks[number]).map { ($0, $1.statistics.parts[part]) }
  }
}
