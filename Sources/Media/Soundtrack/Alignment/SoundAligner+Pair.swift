/// The alignment of two recordings that each hear the other's owner late.
///
/// A microphone hears its owner at once and distant people late, over a loudspeaker or through a
/// room. The recording owner's voice is late in the reference; the reference owner's voice is late
/// in the recording. This gives two parallel lines with the true one half way between them. Any
/// asymmetry of the two delays cannot be measured; each is taken to be half of the sum.
extension SoundAligner.Alignment {
  /// The least share of the votes on two lines that has to fit two parallel lines.
  private static let leastParallel = 0.8

  /// The largest level difference of one voice between the two recordings, in decibels.
  private static let mostGain = 10.0
  /// The least share of windows in which an only voice is heard in both recordings.
  private static let leastOfOneVoice = 0.9

  /// Combines the searches of both directions: `there` for the recording's owner in the reference,
  /// `back` for the reference's owner in the recording.
  init(_ there: AlignmentSearch, _ back: AlignmentSearch, ofOnePerson: Bool) {
    windowCount = there.windowCount + back.windowCount
    if ofOnePerson { takeOnePerson(there, back) } else { takePair(there, back) }
  }

  private mutating func take(_ line: AlignmentLine, agreeingCount: Int) {
    (offset, partsPerMillion) = (line.offset, line.drift * 1e6)
    (self.agreeingCount, isMutual) = (agreeingCount, true)
  }

  /// Leaves the defaults if the lines of two searches cannot come from two people who hear each
  /// other, or if neither search found a line.
  private mutating func takePair(_ there: AlignmentSearch, _ back: AlignmentSearch) {
    guard let late = there.found, let early = back.found else {
      guard let line = there.found?.line ?? back.found?.line.inverse() else { return }
      take(line, agreeingCount: (there.found ?? back.found)?.votes.count ?? 0)
      (isMutual, isHeardThere) = (false, there.found != nil)
      return
    }
    let lines = AlignmentLine.parallel([late.votes, early.votes.map(\.inverse)])
    let tolerance = AlignmentSearch.tolerance
    let count =
      lines[0].agreeing(there.votes, tolerance).count
      + lines[1].agreeing(back.votes.map(\.inverse), tolerance).count
    let distance = lines[0].offset - lines[1].offset
    let most = Double(late.votes.count + early.votes.count)
    guard Double(count) >= Self.leastParallel * most, distance >= -2 * tolerance,
      distance <= 2 * SoundAligner.largestDelay
    else { return }
    delay = max(0, distance / 2)
    let offset = (lines[0].offset + lines[1].offset) / 2
    take(AlignmentLine(offset: offset, drift: lines[0].drift), agreeingCount: count)
    guard !there.isOwn || !back.isOwn else { return }
    // One voice heard in both may be late in either; it is late in the recording where it is far
    // fainter.
    isOneVoice = true
    // The microphone of the voice's owner picks up little else.
    isHeardThere = there.share >= back.share
    isMutual =
      distance <= 2 * tolerance && min(there.share, back.share) >= Self.leastOfOneVoice
      && abs(there.gain - back.gain) <= 2 * Self.mostGain
  }

  /// Aligns two recordings of one person, which hold the same voice at the same time, by a single
  /// line. Leaves the defaults without votes.
  private mutating func takeOnePerson(_ there: AlignmentSearch, _ back: AlignmentSearch) {
    let votes = there.votes + back.votes.map(\.inverse)
    guard let found = AlignmentLine.through(votes, tolerance: AlignmentSearch.tolerance) else {
      return
    }
    take(found.line, agreeingCount: found.votes.count)
  }
}
