/// Where two recordings lie against each other that each hold the other's sound late.
///
/// A microphone hears its owner at once and the others late, over a loudspeaker or through a room.
/// What the recording's owner says lies late in the reference by as much, what the reference's
/// owner says lies early: the votes lie on two parallel lines, and the true one is half way between
/// them.
struct AlignmentPair {
  /// Where the recording lies.
  var line: AlignmentLine
  /// By how much each of both hears the other late, in seconds; 0 where all votes lie on one line.
  var delay = 0.0
  /// How many votes lie on one of the lines.
  var agreeingCount: Int

  /// A microphone hears its owner louder than the others by that many decibels at least.
  private static let leastNearness = 6.0
  /// So few votes may lie on a second line by chance.
  private static let leastVotes = 4

  /// The lines that most of `votes` lie on to `tolerance`; nil of no votes.
  init?(_ votes: [AlignmentLine.Vote], tolerance: Double) {
    guard let main = AlignmentLine.through(votes, tolerance: tolerance) else { return nil }
    (line, agreeingCount) = (main.line, main.votes.count)
    var lines = [main.votes]
    var rest = votes.filter { !main.line.isNear($0, tolerance) }
    while true {
      let next = Self.largest(of: rest, along: main.line.drift, tolerance: tolerance)
      guard next.count >= Self.leastVotes, let line = AlignmentLine.parallel([next]).first else {
        break
      }
      lines.append(next)
      rest.removeAll { line.isNear($0, tolerance) }
    }
    take(lines)
  }

  /// The most of `votes` whose places are alike to `tolerance` where clocks differ by `drift`.
  private static func largest(
    of votes: [AlignmentLine.Vote], along drift: Double, tolerance: Double
  ) -> [AlignmentLine.Vote] {
    votes.map { middle in
      votes.filter {
        abs($0.distance - middle.distance - drift * ($0.time - middle.time)) <= tolerance
      }
    }.max { $0.count < $1.count } ?? []
  }

  /// Goes half way between the line of what is nearest to the recording's microphone and that of
  /// what is nearest to the reference's.
  private mutating func take(_ lines: [[AlignmentLine.Vote]]) {
    let nearness = lines.map { votes in
      votes.reduce(0) { $0 + $1.nearness } / Double(max(1, votes.count))
    }
    guard let late = lines.indices.max(by: { nearness[$0] < nearness[$1] }),
      let early = lines.indices.min(by: { nearness[$0] < nearness[$1] }),
      nearness[late] - nearness[early] >= Self.leastNearness
    else { return }
    let found = AlignmentLine.parallel(lines)
    let distance = found[late].offset - found[early].offset
    guard distance > 0, distance <= 2 * AlignSound.largestDelay else { return }
    line = AlignmentLine(
      offset: (found[late].offset + found[early].offset) / 2, drift: found[late].drift)
    delay = distance / 2
    agreeingCount = lines.reduce(0) { $0 + $1.count }
  }
}
