/// Consecutive parallel lines: the lag between two recordings, one of which lacks samples.
///
/// The lines are found by dynamic programming (Viterbi) over the votes in order of time. A vote
/// that is not on the current line costs 1, and a change of lines costs ``change``.
struct AlignmentSteps {
  /// The votes on each line, in order of time.
  private(set) var groups: [[AlignmentLine.TimePair]]
  /// The line of each group; all lines have one slope.
  private(set) var lines: [AlignmentLine]

  /// The number of votes on the lines, less the votes off the lines and less ``change`` for each
  /// line.
  private(set) var score = 0.0

  /// The cost of a change of lines, in votes. By chance no more consecutive votes are on one line.
  private static let change = 3.5
  /// The number of later votes with which each vote is paired to find the slope.
  private static let neighbors = 12
  /// The number of iterations in which slope and lines are refined.
  private static let rounds = 3

  /// Finds the lines that have the most votes within `tolerance` seconds; returns `nil` without
  /// votes.
  init?(_ votes: [AlignmentLine.TimePair], tolerance: Double) {
    guard !votes.isEmpty else { return nil }
    let votes = votes.sorted { $0.time < $1.time }
    var slope = Self.slope(of: votes, tolerance)
    (groups, lines) = ([], [])
    for _ in 0..<Self.rounds {
      groups = Self.groups(votes, slope, tolerance)
      lines = AlignmentLine.parallel(groups)
      slope = lines.first?.drift ?? slope
    }
    let kept = groups.reduce(0) { $0 + $1.count }
    score = Double(2 * kept - votes.count) - Self.change * Double(groups.count)
  }

  /// Returns the changes from line to line that exceed `smallest` seconds: the times of the last
  /// vote before and the first vote after, the index of the line before, and the increase of the
  /// lag in seconds.
  func changes(
    over smallest: Double
  ) -> [(range: ClosedRange<Double>, line: Int, size: Double)] {
    groups.indices.dropFirst().compactMap { next in
      let size = lines[next].offset - lines[next - 1].offset
      guard abs(size) > smallest, let last = groups[next - 1].last?.time,
        let first = groups[next].first?.time, last <= first
      else { return nil }
      return (last...first, next - 1, size)
    }
  }

  /// Finds the slope on which most pairs of neighboring votes agree. Pairs across a change of lines
  /// are few.
  private static func slope(of votes: [AlignmentLine.TimePair], _ tolerance: Double) -> Double {
    var pairs: [(length: Double, change: Double)] = []
    for index in votes.indices {
      for other in votes[index...].dropFirst().prefix(neighbors) {
        let length = other.time - votes[index].time
        let change = other.distance - votes[index].distance
        guard abs(change) <= tolerance + length * SoundAligner.largestDrift / 1e6 else { continue }
        pairs.append((length, change))
      }
    }
    // Of a hundred slopes over the whole range, the first is zero.
    let most = SoundAligner.largestDrift / 1e6
    let slopes = (0...100).map { most * Double($0 % 2 == 0 ? $0 : -$0 - 1) / 100 }
    return slopes.map { slope in
      (slope, pairs.count { abs($0.change - slope * $0.length) <= tolerance / 2 })
    }.max { $0.1 < $1.1 }?.0 ?? 0
  }

  /// Assigns votes to lines of the given slope by a Viterbi search.
  private static func groups(
    _ votes: [AlignmentLine.TimePair], _ slope: Double, _ tolerance: Double
  ) -> [[AlignmentLine.TimePair]] {
    let levels = votes.map { $0.distance - slope * $0.time }
    var costs = [Double](repeating: 0, count: votes.count)
    // For each vote and line, the preceding line. The candidate lines are those through each of the
    // votes.
    var origins: [[Int]] = []
    for level in levels {
      let cheapest = costs.indices.min { costs[$0] < costs[$1] } ?? 0
      let switched = costs[cheapest] + change
      var from = Array(costs.indices)
      for line in costs.indices {
        if switched < costs[line] { (costs[line], from[line]) = (switched, cheapest) }
        if abs(levels[line] - level) > tolerance { costs[line] += 1 }
      }
      origins.append(from)
    }
    var line = costs.indices.min { costs[$0] < costs[$1] } ?? 0
    var groups: [[AlignmentLine.TimePair]] = [[]]
    for index in votes.indices.reversed() {
      if abs(levels[line] - levels[index]) <= tolerance { groups[0].insert(votes[index], at: 0) }
      let before = origins[index][line]
      if before != line, index > 0 { groups.insert([], at: 0) }
      line = before
    }
    return groups.filter { !$0.isEmpty }
  }
}
