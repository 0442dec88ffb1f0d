import Glibc
import TesseraTimeline

/// Finds where the lag of a voice's times steps for good.
///
/// The level of the lag is the hidden state of a Viterbi search over all blocks. A block costs the
/// square of its distance from where ``ClockNoise`` expects it, which every survivor of the search
/// follows for itself (per-survivor processing: Raheli, Polydoros and Tzou, 1995), but never more
/// than ``outlier``: one wrong time costs the same however wrong it is (the biweight loss of
/// Fearnhead and Rigaill, *Changepoint Detection in the Presence of Outliers*, 2019). A step up,
/// which is what every gap is, costs less than one outlier; a step down costs as much as most of a
/// second of them. So a burst of late packets, which would need both, is noise however late they
/// are, and a single packet between two gaps is placed. What is lost is whole packets: where
/// packets are alike, a step by a few of them costs what that is worth in a recording which loses
/// that many. Between blocks the level may creep as clocks do.
struct ClockSegments {
  /// Where the lag steps.
  struct Beginning: Hashable {
    /// The first fact after it.
    var fact: Int
    /// How many packets are missing before it; nil where that is not known.
    var packets: Int?
  }

  /// In order; the first is at 0.
  private(set) var beginnings: [Beginning] = []
  /// The distances of all times from where their packets lie.
  private(set) var rests: [Double] = []
  /// How little likely all that is: its logarithm twice, negative.
  private(set) var cost = 0.0

  private let facts: ClockFacts
  private let slope: Double
  private let noise: ClockNoise
  /// What a step up by packets costs, and by anything else.
  private let (stepByPackets, stepUp): (Double, Double)
  /// The width of a level, in samples, and how many levels a packet is; 0 where packets differ.
  private var (width, packet) = (1.0, 0)
  private var positions: [Double] = []
  /// The packets that were left out before each position.
  private var folds: [Int32] = []
  private var states: [State] = []
  private var steps: [Step] = []
  private var (best, bestCost): (Int, Double) = (0, 0)

  /// The most that a block costs, in squared standard deviations.
  private static let outlier = 25.0
  /// What a step costs where there are hardly any.
  static let rareStep = 0.9 * outlier
  /// What a step costs at least that is not by packets, and how much more than one that is.
  private static let leastGap = 12.0
  private static let oddStep = 2.0
  /// Steps by that many packets at most are looked for.
  private static let mostPackets = 4
  /// What one more packet costs at most.
  private static let nextPacket = 4.0
  /// Samples of sound that a step down has to last for: 0.8 s.
  private static let lastingDown = 38_400.0
  /// How fast the level may creep: 1000 parts per million.
  private static let creep = 0.001
  private static let creepCost = 1.5
  /// What a block may cost more because levels have a width.
  static let coarseness = 1.0 / 16
  /// The most levels that memory is taken for.
  private static let mostLevels = 1 << 21

  /// A level, and how the search came to it. Every level may be that of the beginning, however few
  /// of the first blocks lie near it.
  private struct State {
    /// What the blocks so far cost, less the most that they could.
    var cost = 0.0
    /// The slow part of the noise.
    var slow = 0.0
    var start: Int32 = 0
    var packets: Int32 = -1
    var parent: Int32 = -1
    var step: Int32 = -1
  }

  /// A segment that another one may follow.
  private struct Step {
    var start, packets, parent, level: Int32
  }

  /// The most likely steps of `facts` with a clock that differs by `slope`, where a packet is
  /// missing before one of `oneIn`, and there is another gap before one of `oneGapIn`.
  init(
    _ facts: ClockFacts, slope: Double, noise: ClockNoise, oneIn: Double, oneGapIn: Double
  ) {
    (self.facts, self.slope, self.noise) = (facts, slope, noise)
    stepByPackets = min(Self.rareStep, max(3, 2 * log(oneIn)))
    stepUp = min(Self.rareStep, max(Self.leastGap, 2 * log(oneGapIn))) + Self.oddStep
    layOut()
    run()
    trace()
    cost = bestCost + Double(facts.lags.count) * log(noise.variance)
  }

  /// Finds a level for every lag.
  private mutating func layOut() {
    let lags = zip(facts.lags, facts.counts).map { $0 - slope * $1 }
    let reach = Self.outlier.squareRoot() * noise.spread
    let length = facts.packetLength ?? 0
    let span = fold(lags, gap: 2 * reach + 4 * noise.spread, grid: length)
    width = max(noise.variance.squareRoot() / 2, (span + 2 * reach) / Double(Self.mostLevels - 8))
    if length > 0, width <= length {
      packet = Int(saturating: (length / width).rounded(.up))
      width = length / Double(packet)
    }
    for index in positions.indices { positions[index] = (positions[index] + reach) / width + 2 }
    states = Array(repeating: State(), count: Int(saturating: (span + 2 * reach) / width) + 8)
  }

  /// Moves values together so that none is much further than `gap` from the next one, by whole
  /// numbers of `grid`; their order and every smaller distance stay. Returns how far they reach.
  private mutating func fold(_ values: [Double], gap: Double, grid: Double) -> Double {
    let order = values.indices.sorted { values[$0] < values[$1] }
    positions = values
    folds = Array(repeating: 0, count: values.count)
    var (position, previous) = (0.0, order.first.map { values[$0] } ?? 0)
    var packets = 0.0
    for index in order {
      let distance = values[index] - previous
      if distance > gap {
        let more = grid > 0 ? ((distance - gap) / grid).rounded(.down) : 0
        packets += more
        position += grid > 0 ? distance - more * grid : gap
      } else {
        position += distance
      }
      previous = values[index]
      positions[index] = position
      folds[index] = Int32(clamping: Int64(saturating: packets))
    }
    return position
  }

  private mutating func run() {
    let reach = Int(saturating: (Self.outlier.squareRoot() * noise.spread / width).rounded(.up))
    let stepDown = Self.outlier * max(8, Self.lastingDown / facts.usualLength)
    let (scale, gain) = (width / noise.variance.squareRoot(), noise.gain)
    var nextCreep = facts.counts[0]
    for index in positions.indices {
      let position = positions[index]
      let level = Int(saturating: position)
      let range = max(1, level - reach)...min(states.count - 2, level + reach)
      if facts.counts[index] >= nextCreep {
        letCreep(range)
        nextCreep = facts.counts[index] + width / Self.creep
      }
      let (previous, previousCost) = (best, bestCost)
      // From above, so that a step up comes from a level as it was.
      for state in range.reversed() {
        if index > 0 {
          stepByPackets(to: state, at: index)
          let entry = previousCost + (state > previous ? stepUp : stepDown)
          if entry < states[state].cost { enter(state, from: previous, cost: entry, at: index) }
        }
        let expected = noise.memory * states[state].slow
        let distance = (position - Double(state)) - expected
        let less = Self.outlier - distance * distance * scale * scale
        states[state].slow = expected
        guard less > 0 else { continue }
        states[state].slow += gain * distance
        states[state].cost -= less
        if states[state].cost < bestCost { (best, bestCost) = (state, states[state].cost) }
      }
    }
  }

  private mutating func stepByPackets(to state: Int, at index: Int) {
    guard packet > 0 else { return }
    for count in 1...Self.mostPackets {
      let from = state - count * packet
      guard from > 0 else { return }
      let entry =
        states[from].cost + stepByPackets
        + Double(count - 1) * min(stepByPackets, Self.nextPacket)
      guard entry < states[state].cost else { continue }
      let slow = states[from].slow
      enter(state, from: from, cost: entry, at: index)
      (states[state].slow, states[state].packets) = (slow, Int32(count))
    }
  }

  private mutating func enter(_ state: Int, from previous: Int, cost: Double, at index: Int) {
    let parent = step(from: previous)
    states[state] = State(cost: cost, start: Int32(index), parent: parent)
  }

  /// Lets every level in `range` be reached from its neighbors.
  private mutating func letCreep(_ range: ClosedRange<Int>) {
    var below = states[range.lowerBound - 1]
    for state in range {
      let here = states[state]
      let above = states[state + 1]
      let neighbor = below.cost < above.cost ? below : above
      if neighbor.cost + Self.creepCost < here.cost {
        states[state] = neighbor
        states[state].cost += Self.creepCost
      }
      below = here
    }
  }

  /// The record of the segment that the search is in at level `state`.
  private mutating func step(from state: Int) -> Int32 {
    if states[state].step < 0 {
      steps.append(
        Step(
          start: states[state].start, packets: states[state].packets,
          parent: states[state].parent, level: Int32(state)))
      states[state].step = Int32(steps.count - 1)
    }
    return states[state].step
  }

  /// Follows the best survivor back.
  private mutating func trace() {
    var number = step(from: best)
    var end = positions.count
    rests = positions
    while number >= 0 {
      let step = steps[Int(number)]
      let start = Int(step.start)
      for fact in start..<end { rests[fact] = (positions[fact] - Double(step.level)) * width }
      end = start
      var packets: Int?
      if step.packets > 0, step.parent >= 0 {
        let before = Int(steps[Int(step.parent)].start)
        packets = Int(step.packets) + Int(folds[start] - folds[before])
      }
      beginnings.append(Beginning(fact: start, packets: packets))
      number = step.parent
    }
    beginnings.reverse()
    (positions, folds, states, steps) = ([], [], [], [])
  }
}
