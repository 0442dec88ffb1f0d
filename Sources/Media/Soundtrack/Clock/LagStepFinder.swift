import Glibc
import TesseraTimeline

/// Finds the permanent steps of the lag of a voice's timestamps.
///
/// The level of the lag is the hidden state of a Viterbi search over all blocks. A block costs the
/// squared distance from the prediction of ``TimestampNoise``, which every survivor of the search
/// updates for itself (per-survivor processing: Raheli, Polydoros and Tzou, 1995).
///
/// The cost is capped at ``outlier``: one wrong timestamp costs the same however wrong it is (the
/// biweight loss of Fearnhead and Rigaill, *Changepoint Detection in the Presence of Outliers*,
/// 2019). Every gap is a step up, which costs less than one outlier. A step down costs as much as
/// most of a second of outliers. So a burst of late packets, which needs both steps, is noise
/// however late they are, and a single packet between two gaps is still placed.
///
/// Losses are whole packets. If packets have one length, the cost of a step by a few packets
/// depends on the recording's rate of losses. Between blocks the level may creep as clocks do.
struct LagStepFinder {
  /// The beginning of a segment, at which the lag steps.
  struct SegmentStart: Hashable {
    /// The index of the first fact (block with a timestamp) after the step.
    var fact: Int
    /// The number of packets missing before the segment; `nil` if unknown.
    var packets: Int?
  }

  /// The beginnings of all segments, in order; the first is at fact 0.
  private(set) var beginnings: [SegmentStart] = []
  /// The residuals of all timestamps: their distances from the packets' places, in samples.
  private(set) var rests: [Double] = []
  /// The negative log-likelihood of the result, doubled.
  private(set) var cost = 0.0

  private let facts: TimestampLags
  private let slope: Double
  private let noise: TimestampNoise
  /// The cost of a step up by whole packets, and of any other step up.
  private let (stepByPackets, stepUp): (Double, Double)
  /// The width of a level in samples, and the number of levels in a packet; the latter is 0 if
  /// packets differ in length.
  private var (width, packet) = (1.0, 0)
  /// The level of each fact, as a fractional index into ``states``.
  private var positions: [Double] = []
  /// The number of packets that folding removed below each position (see ``fold(_:gap:grid:)``).
  private var folds: [Int32] = []
  /// The Viterbi search's best path (survivor) to each level of the lag.
  private var states: [SurvivorPath] = []
  /// The segments recorded so far, linked by ``FinishedSegment/parent``.
  private var steps: [FinishedSegment] = []
  /// The level of the lag whose best path has the least cost, and that cost.
  private var (best, bestCost): (Int, Double) = (0, 0)

  /// The largest cost of a block, in squared standard deviations.
  private static let outlier = 25.0
  /// The cost of a step in a recording with hardly any steps.
  static let rareStep = 0.9 * outlier
  /// The least cost of a step that is not by whole packets, and the additional cost of such a step.
  private static let leastGap = 12.0
  private static let oddStep = 2.0
  /// The largest number of packets in a step by packets.
  private static let mostPackets = 4
  /// The largest cost of each further packet in a step.
  private static let nextPacket = 4.0
  /// The duration for which a step down has to last, in samples: 0.8 s.
  private static let lastingDown = 38_400.0
  /// The largest speed at which the level may creep: 1000 parts per million.
  private static let creep = 0.001
  /// The cost of moving to a neighboring level.
  private static let creepCost = 1.5
  /// The cost that a block may have in addition because levels have a width.
  static let coarseness = 1.0 / 16
  /// The largest number of levels, which bounds the memory.
  private static let mostLevels = 1 << 21

  /// The Viterbi search's best path (survivor) to one level of the lag. The first segment may be at
  /// any level, however few of the first blocks are near it.
  private struct SurvivorPath {
    /// The cost of all blocks so far, less the cost of as many outliers.
    var cost = 0.0
    /// The filter's estimate of the correlated noise, in levels.
    var slow = 0.0
    /// The first fact of the survivor's current segment.
    var start: Int32 = 0
    /// The number of packets in the step that began the segment; -1 for any other step.
    var packets: Int32 = -1
    /// The index of the preceding segment in `steps`; -1 without one.
    var parent: Int32 = -1
    /// The index of the current segment in `steps`; -1 if it is not yet recorded.
    var step: Int32 = -1
  }

  /// A finished segment that another segment may follow.
  private struct FinishedSegment {
    var start, packets, parent, level: Int32
  }

  /// Finds the likeliest steps of `facts`.
  ///
  /// - Parameters:
  ///   - facts: The timestamps and sample counts.
  ///   - slope: The assumed clock drift.
  ///   - noise: The noise model.
  ///   - oneIn: The mean number of blocks for each loss of packets.
  ///   - oneGapIn: The mean number of blocks for each other gap.
  init(
    _ facts: TimestampLags, slope: Double, noise: TimestampNoise, oneIn: Double, oneGapIn: Double
  ) {
    (self.facts, self.slope, self.noise) = (facts, slope, noise)
    stepByPackets = min(Self.rareStep, max(3, 2 * log(oneIn)))
    stepUp = min(Self.rareStep, max(Self.leastGap, 2 * log(oneGapIn))) + Self.oddStep
    layOut()
    run()
    trace()
    cost = bestCost + Double(facts.lags.count) * log(noise.variance)
  }

  /// Computes the levels and the position of every lag.
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
    states = Array(
      repeating: SurvivorPath(), count: Int(saturating: (span + 2 * reach) / width) + 8)
  }

  /// Moves distant values together so that neighbors are hardly more than `gap` apart, and returns
  /// the remaining range.
  ///
  /// Values move by multiples of `grid`, if it is not 0. Their order and all smaller distances
  /// stay.
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

  /// Runs the Viterbi search over all blocks.
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
      // Levels are visited from above, so that a step up starts from the previous block's state.
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

  /// Enters `state` from a lower level if a step by whole packets is cheaper.
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

  /// Starts a new segment at level `state` after the survivor at level `previous`.
  private mutating func enter(_ state: Int, from previous: Int, cost: Double, at index: Int) {
    let parent = step(from: previous)
    states[state] = SurvivorPath(cost: cost, start: Int32(index), parent: parent)
  }

  /// Lets the survivor of a neighboring level move to each level of `range`.
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

  /// Records the segment of the survivor at level `state` and returns its index.
  private mutating func step(from state: Int) -> Int32 {
    if states[state].step < 0 {
      steps.append(
        FinishedSegment(
          start: states[state].start, packets: states[state].packets,
          parent: states[state].parent, level: Int32(state)))
      states[state].step = Int32(steps.count - 1)
    }
    return states[state].step
  }

  /// Follows the best survivor back, and fills ``beginnings`` and ``rests``.
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
      beginnings.append(SegmentStart(fact: start, packets: packets))
      number = step.parent
    }
    beginnings.reverse()
    (positions, folds, states, steps) = ([], [], [], [])
  }
}
