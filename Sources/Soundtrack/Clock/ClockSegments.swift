/// Finds where the lag of a voice's times steps for good.
///
/// The level of the lag is the hidden state of a Viterbi search over all blocks. A block costs the
/// square of its distance from the level in units of the noise, but never more than ``outlier``:
/// one wrong time costs the same however wrong it is (the biweight loss of Fearnhead and Rigaill,
/// *Changepoint Detection in the Presence of Outliers*, 2019). A step up, which is what every gap
/// is, costs less than one outlier; a step down costs as much as most of a second of them. So a
/// burst of late packets, which would need both, is noise however late they are, and a single
/// packet between two gaps is placed. Between blocks the level may creep as clocks do.
struct ClockSegments {
  private let facts: ClockFacts
  private let slope: Double
  /// The standard deviation of the noise and the width of a level, in samples.
  private let (noise, width): (Double, Double)
  private let levels: [Int32]
  private var states: [State]
  private var steps: [Step] = []
  private var (best, bestCost): (Int, Double) = (0, 0)

  /// The most that a block costs, in squared standard deviations.
  private static let outlier = 25.0
  private static let stepUp = 0.9 * outlier
  /// Samples of sound that a step down has to last for: 0.8 s.
  private static let lastingDown = 38_400.0
  /// How fast the level may creep: 1000 parts per million.
  private static let creep = 0.001
  private static let creepCost = 0.5
  /// Noise is taken for at least 1 ms and at most 30 ms.
  private static let noiseRange = 48.0...1440.0
  /// The most levels that memory is taken for.
  private static let mostLevels = 1 << 21

  /// A level, and how the search came to it. Every level may be that of the beginning, however few
  /// of the first blocks lie near it.
  private struct State {
    /// What the blocks so far cost, less the most that they could.
    var cost = 0.0
    var start: Int32 = 0
    var parent: Int32 = -1
    var step: Int32 = -1
  }

  /// A segment that another one may follow.
  private struct Step {
    var start: Int32
    var parent: Int32
  }

  /// The first fact of every segment, in order; the first is 0.
  static func find(in facts: ClockFacts) -> [Int] {
    var search = ClockSegments(facts, slope: 0)
    search.run()
    let slope = commonSlope(of: facts)
    guard abs(slope) > creep / 2, abs(slope) < 0.06 else { return search.starts }
    var other = ClockSegments(facts, slope: slope)
    other.run()
    return other.bestCost < search.bestCost ? other.starts : search.starts
  }

  /// The median slope over stretches of a second.
  private static func commonSlope(of facts: ClockFacts) -> Double {
    let distance = max(1, Int(48_000 / facts.usualLength))
    let count = facts.counts.count - distance
    guard count > 0 else { return 0 }
    return Statistics.median(
      (0..<count).map { index in
        let length = facts.counts[index + distance] - facts.counts[index]
        return length > 0 ? (facts.lags[index + distance] - facts.lags[index]) / length : 0
      })
  }

  private init(_ facts: ClockFacts, slope: Double) {
    (self.facts, self.slope) = (facts, slope)
    let lags = zip(facts.lags, facts.counts).map { $0 - slope * $1 }
    let changes = zip(lags, lags.dropFirst()).map { $1 - $0 }
    let spread = Statistics.spread(changes) / 2.0.squareRoot()
    let wander = Self.wander(of: lags, over: Int(48_000 / facts.usualLength))
    noise = min(max(spread, wander, Self.noiseRange.lowerBound), Self.noiseRange.upperBound)
    let reach = Self.outlier.squareRoot() * noise
    let (positions, span) = Self.folded(lags, gap: 2 * reach + 4 * noise)
    let width = max(noise / 2, (span + 2 * reach) / Double(Self.mostLevels - 8))
    self.width = width
    levels = positions.map { Int32(($0 + reach) / width) + 2 }
    states = Array(repeating: State(), count: Int((span + 2 * reach) / width) + 8)
  }

  /// The standard deviation of noise that keeps its sign for a while, by how far lags fall within
  /// `distance` blocks: gaps only let them rise.
  private static func wander(of lags: [Double], over distance: Int) -> Double {
    guard distance > 0, lags.count > 2 * distance else { return 0 }
    let changes = (0..<lags.count - distance).map { lags[$0 + distance] - lags[$0] }
    // A tenth of a normal distribution lies below -1.28.
    return max(0, -Statistics.quantile(0.1, of: changes) / (1.28 * 2.0.squareRoot()))
  }

  /// The values moved together so that none is further than `gap` from the next one; their order
  /// and every smaller distance stay.
  private static func folded(_ values: [Double], gap: Double) -> ([Double], span: Double) {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var positions = values
    var (position, previous) = (0.0, order.first.map { values[$0] } ?? 0)
    for index in order {
      position += min(gap, values[index] - previous)
      previous = values[index]
      positions[index] = position
    }
    return (positions, position)
  }

  private mutating func run() {
    let reach = Int((Self.outlier.squareRoot() * noise / width).rounded(.down))
    let stepDown = Self.outlier * max(8, Self.lastingDown / facts.usualLength)
    var nextCreep = facts.counts[0]
    for index in levels.indices {
      let level = Int(levels[index])
      let range = max(1, level - reach)...min(states.count - 2, level + reach)
      if facts.counts[index] >= nextCreep {
        letCreep(range)
        nextCreep = facts.counts[index] + width / Self.creep
      }
      let (previous, previousCost) = (best, bestCost)
      var parent: Int32 = -1
      for state in range {
        let distance = Double(state - level) * width / noise
        let gain = Self.outlier - distance * distance
        guard gain > 0 else { continue }
        let entry = previousCost + (state > previous ? Self.stepUp : stepDown)
        if index > 0, entry < states[state].cost {
          if parent < 0 { parent = step(from: previous) }
          states[state] = State(cost: entry, start: Int32(index), parent: parent)
        }
        states[state].cost -= gain
        if states[state].cost < bestCost { (best, bestCost) = (state, states[state].cost) }
      }
    }
  }

  /// Lets every level in `range` be reached from its neighbours.
  private mutating func letCreep(_ range: ClosedRange<Int>) {
    var below = states[range.lowerBound - 1]
    for state in range {
      let here = states[state]
      let above = states[state + 1]
      let neighbour = below.cost < above.cost ? below : above
      if neighbour.cost + Self.creepCost < here.cost {
        states[state] = neighbour
        states[state].cost += Self.creepCost
      }
      below = here
    }
  }

  /// The record of the segment that the search is in at level `state`.
  private mutating func step(from state: Int) -> Int32 {
    if states[state].step < 0 {
      steps.append(Step(start: states[state].start, parent: states[state].parent))
      states[state].step = Int32(steps.count - 1)
    }
    return states[state].step
  }

  private var starts: [Int] {
    var starts = [Int(states[best].start)]
    var parent = states[best].parent
    while parent >= 0 {
      starts.append(Int(steps[Int(parent)].start))
      parent = steps[Int(parent)].parent
    }
    return starts.reversed()
  }
}
