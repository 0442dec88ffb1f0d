/// Where two recordings lie against each other that each hold the other's sound late.
///
/// A microphone hears its owner at once and the others late, over a loudspeaker or through a room.
/// What the recording's owner says lies late in the reference by as much, what the reference's
/// owner says lies early: two parallel lines, and the true one is half way between them. What one
/// way takes longer than the other cannot be known; each is taken to be half of both.
struct AlignmentPair {
  /// Where the recording lies.
  private(set) var line: AlignmentLine
  /// By how much each of both hears the other late, in seconds.
  private(set) var delay = 0.0
  /// How many votes lie on the lines.
  private(set) var agreeingCount: Int
  /// Whether each hears the other, so that the delay is known.
  private(set) var isMutual = true
  /// Whether it may well be one voice that both hear, so that it is not known who hears it late.
  private(set) var isOneVoice = false

  /// True if it is the recording's owner who is heard in the reference, as far as ``isMutual`` is false.
  private(set) var isHeardThere = true

  /// Of the votes on two lines, that share lies on two parallel ones.
  private static let leastParallel = 0.8

  /// It is louder in one of both by that many decibels at most.
  private static let mostGain = 10.0
  /// A voice that is the only one is heard in both recordings in that share of windows.
  private static let leastOfOneVoice = 0.9

  /// The lines that most votes lie on: of the recording's owner in the reference, and of the
  /// reference's in the recording. Nil where they are none that two who hear each other make.
  init?(there: AlignmentSearch, back: AlignmentSearch) {
    guard let late = there.found, let early = back.found else {
      guard let line = there.found?.line ?? back.found?.line.inverse() else { return nil }
      self.line = line
      agreeingCount = (there.found ?? back.found)?.votes.count ?? 0
      (isMutual, isHeardThere) = (false, there.found != nil)
      return
    }
    let lines = AlignmentLine.parallel([late.votes, early.votes.map(\.inverse)])
    let tolerance = AlignmentSearch.tolerance
    agreeingCount =
      lines[0].agreeing(there.votes, tolerance).count
      + lines[1].agreeing(back.votes.map(\.inverse), tolerance).count
    let distance = lines[0].offset - lines[1].offset
    delay = max(0, distance / 2)
    line = AlignmentLine(
      offset: (lines[0].offset + lines[1].offset) / 2, drift: lines[0].drift)
    let most = Double(late.votes.count + early.votes.count)
    guard Double(agreeingCount) >= Self.leastParallel * most, distance >= -2 * tolerance,
      distance <= 2 * AlignSound.largestDelay
    else { return nil }
    guard !there.isOwn || !back.isOwn else { return }
    // The voice that is heard in both may be late in either, and is where it is far fainter.
    isOneVoice = true
    // Its owner's microphone holds little else.
    isHeardThere = there.share >= back.share
    isMutual =
      distance <= 2 * tolerance && min(there.share, back.share) >= Self.leastOfOneVoice
      && abs(there.gain - back.gain) <= 2 * Self.mostGain
  }

  /// The one line of two recordings of one person, which hold the same voice at once.
  init?(ofOnePerson there: AlignmentSearch, _ back: AlignmentSearch) {
    let votes = there.votes + back.votes.map(\.inverse)
    guard let found = AlignmentLine.through(votes, tolerance: AlignmentSearch.tolerance) else {
      return nil
    }
    (line, agreeingCount) = (found.line, found.votes.count)
  }
}
