package import TesseraTimeline

/// The cuts of a timeline into segments: a function of the recordings alone, never of the outputs,
/// so that all outputs of a call are cut at the same times.
///
/// The timeline consists of cells of 5 s in exact time. Cuts are at starts of cells.
package struct Segmentation: Hashable, Sendable {
  /// The cells that start a new segment, in ascending order.
  package let cuts: [Int]

  /// The length of a cell: 5 s.
  package static let cell = MediaTime(seconds: 5)

  package static func start(ofCell number: Int) -> MediaTime {
    MediaTime(nanoseconds: Int64(number) *| cell.nanoseconds)
  }

  /// Returns the number of the cell that contains `time`.
  package static func cell(at time: MediaTime) -> Int {
    Int(max(0, time.nanoseconds) / cell.nanoseconds)
  }

  /// The decoding behavior of a track, as far as segmentation needs it.
  package struct Track: Sendable {
    /// The interval for which the track has pictures.
    package var interval: TimeRange
    /// The decoding cost of the track, relative to other tracks.
    package var weight = 1
    /// Returns the time of the picture at which decoding has to start to show the picture that is
    /// due at the given time.
    package var decodingStart: @Sendable (MediaTime) -> MediaTime

    /// Returns the pre-roll in nanoseconds if a segment starts at `time`: decoded, but not shown.
    func preroll(at time: MediaTime) -> Int64 {
      guard interval.start < time, time < interval.end else { return 0 }
      return max(0, (time - max(interval.start, decodingStart(time))).nanoseconds)
    }
  }

  /// Lengths of a segment in cells: usual, shortest and longest.
  private static let (usual, shortest, longest) = (2, 2, 4)

  /// For still pictures, in cells: the longest segment, and the number of still cells in a row that
  /// allow it.
  private static let (longestStill, fewestStill) = (6, 3)

  /// The duration of the shortest segment.
  package static let shortestLength = start(ofCell: shortest)

  /// Cuts a timeline of `duration` every 10 to 20 s, or up to 30 s while cells are still, at cells
  /// with little pre-roll.
  ///
  /// The cuts are chosen from start to end with a look-ahead of one segment. So a recording that
  /// grew is cut at the same cells as before, except for the last ones.
  package init(
    duration: MediaTime, tracks: [Track], isStill: (_ cell: Int) -> Bool = { _ in false }
  ) {
    var (cuts, last) = ([Int](), 0)
    let total = tracks.reduce(0) { $0 + $1.weight }
    while true {
      let still = (0..<Self.longestStill).prefix { isStill(last + $0) }.count
      let isStill = still >= Self.fewestStill
      let isLast = duration - Self.start(ofCell: last) <= Self.start(ofCell: Self.longestStill)
      if still == Self.longestStill, isLast { break }
      let lengths = isStill ? Self.fewestStill...still : Self.shortest...Self.longest
      var candidates = lengths.map { last + $0 }.filter {
        duration - Self.start(ofCell: $0) >= Self.shortestLength
      }
      if isStill { candidates = candidates.suffix(1) }
      guard let cut = Self.cheapest(candidates, after: last, tracks, total) else { break }
      cuts.append(cut)
      last = cut
    }
    self.cuts = cuts
  }

  private static func cheapest(
    _ cuts: [Int], after last: Int, _ tracks: [Track], _ total: Int
  ) -> Int? {
    // Cap the price: without a keyframe for that long, no cut is better than another, and only long
    // runs help.
    let limit = start(ofCell: longest).nanoseconds
    var best: (cut: Int, price: Int64)?
    for cut in cuts {
      let preroll = tracks.reduce(Int64(0)) { sum, track in
        sum +| min(track.preroll(at: start(ofCell: cut)), limit) *| Int64(track.weight)
      }
      // A longer segment costs an eighth of the decoding that it adds.
      let length = start(ofCell: cut - last - usual).nanoseconds *| Int64(total) / 8
      let price = preroll +| length
      if best.map({ price < $0.price }) ?? true { best = (cut, price) }
    }
    return best?.cut
  }
}
