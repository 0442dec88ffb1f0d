import TesseraCodecs
import TesseraPixels
import TesseraPlan
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
  private let supply: PictureSupply
  /// Its number in the supply.
  private let number: Int
  private let cuts: [Int]
  private var passedCuts = 0

  /// Where a feed is cut, and what is counted apart.
  struct Course {
    /// The frames before which it is cut, ascending.
    var cuts: [Int] = []
    /// The first frame of every part that is counted apart, but for the first part.
    var parts: [Int] = []
  }

  /// The feed of `member`, which is the one with that number of `supply`.
  init(_ member: PictureSupply.Member, number: Int, of supply: PictureSupply) {
    (input, cuts) = (member.input, member.course.cuts)
    (self.supply, self.number) = (supply, number)
    contents = Array(repeating: .nothing, count: input.tracks.count)
  }

  deinit { supply.leave() }

  /// Brings ``contents`` to what `frame` shows, which is after all frames before, and returns
  /// whether the feed is cut in between. Waits for what is not decoded yet.
  mutating func advance(to frame: Int) -> Bool {
    let earlier = passedCuts
    while passedCuts < cuts.count, cuts[passedCuts] <= frame { passedCuts += 1 }
    if passedCuts > earlier {
      for index in contents.indices { contents[index] = .nothing }
    }
    supply.advance(number, to: frame) { index, entry in
      contents[index] = entry.picture.map { .picture($0) } ?? .lost
    }
    return passedCuts > earlier
  }

  /// Lets decoding go on into the room of what no canvas needs any more.
  func release() { supply.release(number) }

  /// What each track's pictures came to in a part of the frames.
  func tallies(ofPart part: Int) -> [(track: SegmentInput.Track, PictureTally.Part)] {
    zip(input.tracks, supply.tracks[number]).map { ($0, $1.tally.parts[part]) }
  }
}
