import TesseraPlan
import TesseraTimeline

/// Frames in a row for which a track is decoded, within one stretch of a run.
///
/// A run is cut into stretches. What a stretch shows follows from the plan alone, so it makes no
/// difference where a run begins and ends.
struct PictureWindow: Hashable {
  /// The frames.
  var frames: Range<Int>
  /// The number of its stretch.
  var stretch = 0
  /// How many frames later the stretch begins that shows the window's picture, fading: it is on
  /// account of an earlier one.
  var delay = 0
  /// The last frame before in which the track is seen, where what is decoded for the window has to
  /// do with that: what came or was lost up to there is on account of earlier windows.
  var lastSeen: Int?
  /// Whether the track is given up here.
  var isGivenUp = false

  /// The windows of a track that is seen in `wanted` for drawing `ranges`, which are cut before
  /// each of the frames `cuts`; from frame `lost` on the track is given up.
  ///
  /// `needed` are the frames whose pictures drawing some frames takes: those in which the track is
  /// seen, and earlier ones whose pictures fade.
  static func windows(
    of wanted: [Range<Int>], in ranges: [Range<Int>], cuts: [Int], lost: Int = .max,
    needed: ([Range<Int>]) -> [Range<Int>]
  ) -> [Self] {
    guard let first = ranges.first?.lowerBound, let end = ranges.last?.upperBound else { return [] }
    let edges = [first] + cuts.filter { first < $0 && $0 < end } + [end]
    var windows: [Self] = []
    for (stretch, (start, end)) in zip(edges, edges.dropFirst()).enumerated() {
      for frames in needed(ranges.intersection([start..<end])) {
        for part in frames.split(at: [start, lost].sorted()) {
          let delay = max(0, start - part.lowerBound)
          windows.append(
            PictureWindow(
              frames: part, stretch: stretch, delay: delay,
              lastSeen: wanted.last(before: part.lowerBound), isGivenUp: part.lowerBound >= lost))
        }
      }
    }
    return windows
  }
}

extension Range<Int> {
  /// The parts that begin with each of `edges` inside, which are ascending, and the one before.
  fileprivate func split(at edges: [Int]) -> [Range<Int>] {
    let inside = edges.filter { lowerBound < $0 && $0 < upperBound }
    return zip([lowerBound] + inside, inside + [upperBound]).map { $0..<$1 }
  }
}
