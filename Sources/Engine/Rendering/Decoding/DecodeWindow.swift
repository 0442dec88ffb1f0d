import TesseraPlan

/// Consecutive frames for which a track is decoded, within one stretch of a run.
///
/// A run is cut into stretches where joints start and end. A stretch depends on the plan alone. So
/// the output is the same wherever runs start and end.
struct DecodeWindow: Hashable {
  var frames: Range<Int>
  /// The number of the stretch that contains the window.
  var stretch = 0
  /// Number of frames from the window to the start of the stretch, in which its picture only fades;
  /// 0 for a window inside the stretch. A delayed window counts in an earlier stretch's statistics.
  var delay = 0
  /// The last frame before the window that shows the track, if there is one. Pictures up to it,
  /// decoded or lost, count in earlier windows' statistics.
  var lastSeen: Int?
  /// True if the track is given up from here on, because it crashed workers.
  var isGivenUp = false

  /// Returns the windows in which a track is decoded.
  ///
  /// - Parameters:
  ///   - wanted: the frames that show the track.
  ///   - ranges: the frames to draw.
  ///   - cuts: the frames at which stretches begin.
  ///   - lost: the frame from which the track is given up.
  ///   - needed: returns the frames whose pictures are needed to draw some frames: those that show
  ///     the track, and earlier ones whose pictures fade.
  /// - Returns: the windows in ascending order of stretches.
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
            DecodeWindow(
              frames: part, stretch: stretch, delay: delay,
              lastSeen: wanted.last(before: part.lowerBound), isGivenUp: part.lowerBound >= lost))
        }
      }
    }
    return windows
  }
}

extension Range<Int> {
  /// Splits the range at those of `edges`, ascending, that are inside it.
  fileprivate func split(at edges: [Int]) -> [Range<Int>] {
    let inside = edges.filter { lowerBound < $0 && $0 < upperBound }
    return zip([lowerBound] + inside, inside + [upperBound]).map { $0..<$1 }
  }
}
