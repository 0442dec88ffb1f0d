/// Where the times of one recording lie in another, as a straight line.
struct AlignmentLine {
  /// Where time 0 lies, in seconds.
  var offset: Double
  /// How much further apart places are than times, as a share of the time.
  var drift: Double

  /// A time of the recording and where it seems to lie in the reference, in seconds.
  struct Vote {
    var time: Double
    var place: Double
    /// How loud it is in the recording, in decibels relative to its owner, and how much louder
    /// than, likewise, in the reference.
    var loudness = 0.0
    var nearness = 0.0
    /// The height of the correlation, relative to its mean.
    var peak = 0.0

    var distance: Double { place - time }
    /// Where the time of the reference seems to lie in the recording.
    var inverse: Vote { Vote(time: place, place: time) }
  }

  /// Where `time` lies.
  func place(of time: Double) -> Double { offset + time * (1 + drift) }

  /// What time lies at `place`.
  func time(at place: Double) -> Double { (place - offset) / (1 + drift) }

  /// Where the times of the reference lie in the recording, `seconds` later than they do.
  func inverse(later seconds: Double = 0) -> AlignmentLine {
    AlignmentLine(offset: seconds - offset / (1 + drift), drift: 1 / (1 + drift) - 1)
  }

  /// Whether `vote` lies on the line to `tolerance`.
  func isNear(_ vote: Vote, _ tolerance: Double) -> Bool {
    abs(place(of: vote.time) - vote.place) <= tolerance
  }

  func agreeing(_ votes: [Vote], _ tolerance: Double) -> [Vote] {
    votes.filter { isNear($0, tolerance) }
  }

  /// The line that most of `votes` lie on to `tolerance`, and these votes; nil of none. All pairs
  /// of votes are tried.
  static func through(
    _ votes: [Vote], tolerance: Double
  ) -> (line: AlignmentLine, votes: [Vote])? {
    var best: [Vote] = []
    for (number, first) in votes.enumerated() {
      for second in votes[number...] {
        let length = second.time - first.time
        let slope = length > 0 ? (second.distance - first.distance) / length : 0
        guard abs(slope) <= AlignSound.largestDrift / 1e6 else { continue }
        let line = AlignmentLine(offset: first.distance - slope * first.time, drift: slope)
        let agreeing = line.agreeing(votes, tolerance)
        if agreeing.count > best.count { best = agreeing }
      }
    }
    guard !best.isEmpty else { return nil }
    // What the best line of two votes misses by a hair may lie on the line through all.
    for _ in 0..<2 {
      let agreeing = fitted(best).agreeing(votes, tolerance)
      if agreeing.count > best.count { best = agreeing }
    }
    return (fitted(best), best)
  }

  /// The line through votes by least squares.
  private static func fitted(_ votes: [Vote]) -> AlignmentLine { parallel([votes])[0] }

  /// The lines with one slope that clocks can have, one through each of `groups`, by least squares.
  static func parallel(_ groups: [[Vote]]) -> [AlignmentLine] {
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
    let most = AlignSound.largestDrift / 1e6
    let drift = square > 0 ? min(max(product / square, -most), most) : 0
    return means.map { AlignmentLine(offset: $0.distance - drift * $0.time, drift: drift) }
  }
}
