/// Tracks the lag of one recording in another through sudden changes.
enum LagTracker {
  /// The number of windows that are compared.
  private static let windowCount = 192
  /// The largest change of the lag from one window to the next, in seconds.
  private static let reach = 0.25
  /// The largest slope between the lags of coarse votes that support each other. A recorder that
  /// drops 20 ms five times a minute loses 100 ms a minute.
  private static let largestSlope = 5e-3

  /// Finds the places in `other` of windows spread over `voice`, near the coarse places `rough`.
  static func votes(
    of voice: AlignmentVoice, in other: AlignmentVoice, near rough: [AlignmentLine.TimePair]
  ) -> [AlignmentLine.TimePair] {
    let anchors = supported(rough)
    guard !anchors.isEmpty else { return [] }
    var votes: [AlignmentLine.TimePair] = []
    var (lag, before): (Double?, Double?) = (nil, nil)
    for window in AlignmentSearch.windows(of: voice, windowCount) {
      let time = Double(window.lowerBound) / Double(AlignmentAudio.envelopeRate)
      let nearest = anchors.min { abs($0.time - time) < abs($1.time - time) }?.distance
      var places = [lag, nearest].compactMap { $0 }
      if places.count == 2, abs(places[0] - places[1]) < reach / 2 { places.removeLast() }
      let found = places.compactMap { place in
        AlignmentSearch.refine(
          window, voice, other, AlignmentLine(offset: place, drift: 0), reach)
      }.max { $0.peak < $1.peak }
      guard let found else { continue }
      votes.append(found)
      if let before, abs(found.distance - before) <= AlignmentSearch.tolerance {
        lag = found.distance
      }
      before = found.distance
    }
    return votes
  }

  /// Returns the votes whose lag is supported by at least two of the six nearest other votes.
  private static func supported(_ votes: [AlignmentLine.TimePair]) -> [AlignmentLine.TimePair] {
    votes.indices.filter { index in
      votes[max(0, index - 3)..<min(votes.count, index + 4)].count { other in
        abs(other.distance - votes[index].distance)
          <= AlignmentSearch.roughTolerance + abs(other.time - votes[index].time) * largestSlope
      } >= 3
    }.map { votes[$0] }
  }
}
