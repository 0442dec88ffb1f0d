/// The time mapping from one recording to another as a straight line.
struct AlignmentLine {
  /// The place of time 0, in seconds.
  var offset: Double
  /// The drift: the slope of the line less 1.
  var drift: Double

  /// A measured correspondence: a time of the recording and the matching time (place) of the
  /// reference, in seconds.
  struct TimePair {
    var time: Double
    var place: Double
    /// The loudness of the window in the recording, in decibels relative to the recording's owner.
    var loudness = 0.0
    /// The loudness less the window's loudness in the reference, in decibels relative to the
    /// reference's owner.
    var nearness = 0.0
    /// The height of the correlation peak relative to the mean of the correlation.
    var peak = 0.0

    /// The lag: place less time, in seconds.
    var distance: Double { place - time }
    /// The correspondence from the reference to the recording.
    var inverse: TimePair { TimePair(time: place, place: time) }
  }

  /// Maps `time` of the recording to the reference.
  func place(of time: Double) -> Double { offset + time * (1 + drift) }

  /// Maps `place` in the reference to a time of the recording.
  func time(at place: Double) -> Double { (place - offset) / (1 + drift) }

  /// Returns the mapping from the reference to the recording, delayed by `seconds`.
  func inverse(later seconds: Double = 0) -> AlignmentLine {
    AlignmentLine(offset: seconds - offset / (1 + drift), drift: 1 / (1 + drift) - 1)
  }

  /// True if `vote` is within `tolerance` seconds of the line.
  func isNear(_ vote: TimePair, _ tolerance: Double) -> Bool {
    abs(place(of: vote.time) - vote.place) <= tolerance
  }

  /// Returns the votes that are within `tolerance` seconds of the line.
  func agreeing(_ votes: [TimePair], _ tolerance: Double) -> [TimePair] {
    votes.filter { isNear($0, tolerance) }
  }

  /// Finds the line within `tolerance` seconds of the most votes, and returns the line with these
  /// votes; `nil` without votes. All pairs of votes are tried.
  static func through(
    _ votes: [TimePair], tolerance: Double
  ) -> (line: AlignmentLine, votes: [TimePair])? {
    var best: [TimePair] = []
    for (number, first) in votes.enumerated() {
      for second in votes[number...] {
        let length = second.time - first.time
        let slope = length > 0 ? (second.distance - first.distance) / length : 0
        guard abs(slope) <= SoundAligner.largestDrift / 1e6 else { continue }
        let line = AlignmentLine(offset: first.distance - slope * first.time, drift: slope)
        let agreeing = line.agreeing(votes, tolerance)
        if agreeing.count > best.count { best = agreeing }
      }
    }
    guard !best.isEmpty else { return nil }
    // A vote that narrowly misses the best line of two votes may be on the line through all.
    for _ in 0..<2 {
      let agreeing = fitted(best).agreeing(votes, tolerance)
      if agreeing.count > best.count { best = agreeing }
    }
    return (fitted(best), best)
  }

  /// Fits a line to votes by least squares.
  private static func fitted(_ votes: [TimePair]) -> AlignmentLine { parallel([votes])[0] }

  /// Fits parallel lines, one to each of `groups`, by least squares. The common drift is clamped to
  /// ``SoundAligner/largestDrift``.
  static func parallel(_ groups: [[TimePair]]) -> [AlignmentLine] {
    var means: [(time: Double, distance: Double)] = []
    var (square, product) = (0.0, 0.0)
    for votes in groups {
      let count = Double(max(1, votes.count))
      let time = votes.reduce(0) { $0 + $1.time } / count
      let distance = votes.reduce(0) { $0 + $1.distance } / count
      means.append((time, distance))
      for vote in votes {
        square += (vote.time - time) * (vote.time - time)
        product += (vote.time - time) * (vote.distance - distance)
      }
    }
    let most = SoundAligner.largestDrift / 1e6
    let drift = square > 0 ? min(max(product / square, -most), most) : 0
    return means.map { AlignmentLine(offset: $0.distance - drift * $0.time, drift: drift) }
  }
}
