package import TesseraTimeline

/// Where a timeline is cut: a function of the recordings alone, never of what is made of them, so
/// that all that is made of one call is cut at the same times.
///
/// A timeline consists of cells of five seconds, counted from its beginning in exact time.
package struct Segmentation: Hashable, Sendable {
  /// The cells before which it is cut, ascending.
  package let cuts: [Int]

  /// How long a cell is.
  package static let cell = MediaTime(seconds: 5)

  /// Where cell number `number` begins.
  package static func start(ofCell number: Int) -> MediaTime {
    MediaTime(nanoseconds: Int64(number) *| cell.nanoseconds)
  }

  /// The cell that `time` lies in.
  package static func cell(at time: MediaTime) -> Int {
    Int(max(0, time.nanoseconds) / cell.nanoseconds)
  }

  /// What a track has to decode before it can show something.
  package struct Track: Sendable {
    /// When it has something to show.
    package var interval: TimeRange
    /// What decoding it costs, against others.
    package var weight: Int
    /// The time of the picture that decoding begins with so that what is due at the given time can
    /// be shown.
    package var decodingStart: @Sendable (MediaTime) -> MediaTime

    /// A track that has something to show in `interval`.
    package init(
      interval: TimeRange, weight: Int = 1,
      decodingStart: @escaping @Sendable (MediaTime) -> MediaTime
    ) {
      (self.interval, self.weight, self.decodingStart) = (interval, weight, decodingStart)
    }

    /// The nanoseconds that are decoded for nothing where a segment begins at `time`.
    func preroll(at time: MediaTime) -> Int64 {
      guard interval.start < time, time < interval.end else { return 0 }
      return max(0, (time - max(interval.start, decodingStart(time))).nanoseconds)
    }
  }

  /// The usual length of a segment, the shortest and the longest, in cells.
  private static let (usual, shortest, longest) = (2, 2, 4)

  /// The longest in which nothing moves, and from how many still cells on one is.
  private static let (longestStill, fewestStill) = (6, 3)

  /// The length of the shortest segment.
  package static let shortestLength = start(ofCell: shortest)

  /// Cuts a timeline of that duration where the tracks decode little for nothing, every ten to
  /// twenty seconds, and every thirty at most while cells are still.
  ///
  /// Cutting goes from the beginning on and looks ahead by one segment, so that a recording which
  /// is longer than an earlier one is cut in the same places as far as that went, but for the last
  /// ones.
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
    // Where there is no keyframe for long, no cut is better than another: only long runs help.
    let limit = start(ofCell: longest).nanoseconds
    var best: (cut: Int, price: Int64)?
    for cut in cuts {
      let preroll = tracks.reduce(Int64(0)) { sum, track in
        sum +| min(track.preroll(at: start(ofCell: cut)), limit) *| Int64(track.weight)
      }
      // A longer segment is worth an eighth of its further decoding.
      let length = start(ofCell: cut - last - usual).nanoseconds *| Int64(total) / 8
      let price = preroll +| length
      if best.map({ price < $0.price }) ?? true { best = (cut, price) }
    }
    return best?.cut
  }
}
