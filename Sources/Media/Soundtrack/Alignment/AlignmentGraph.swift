/// Lays recordings out by where pairs of them lie against each other.
///
/// The surest pairs join recordings to groups; pairs within a group show whether all agree.
struct AlignmentGraph {
  /// What came of comparing two recordings.
  struct Edge {
    var from: Int
    var to: Int
    var alignment: AlignSound.Alignment
    /// Less than the alignment's where another pair contradicts it.
    var confidence: Double
    var isAgreed = true

    init(from: Int, to: Int, _ alignment: AlignSound.Alignment) {
      (self.from, self.to, self.alignment) = (from, to, alignment)
      confidence = alignment.confidence
    }

    /// Where `from` lies in `to`.
    var place: AlignSound.Place {
      AlignSound.Place(offset: alignment.offset, rate: 1 + alignment.partsPerMillion / 1e6)
    }

    func other(_ index: Int) -> Int { index == from ? to : from }
  }

  /// Lags that differ by more seconds contradict each other.
  private static let tolerance = 0.02
  /// The confidence of a recording that others contradict, at most.
  private static let contradicted = 0.5
  /// Rounds after which places hardly move.
  private static let rounds = 50

  /// How long each recording is, in seconds.
  private let lengths: [Double]
  /// The number of each recording's owner.
  private let owners: [Int]
  private(set) var places: [AlignSound.Place]
  /// Recordings whose places are known relative to each other have the same group, the number of
  /// its first one.
  private(set) var groups: [Int]
  /// The pairs that joined groups, the surest first.
  private(set) var tree: [Edge] = []
  /// Those and the pairs that say the same.
  private var agreeing: [Edge] = []
  /// Whether what is in that group stays where it is.
  private let fixedGroup: Int?

  /// Recordings of these `lengths`, of which `fixed` ones stay where they are.
  init(
    _ lengths: [Double], owners: [Int], fixed: [Int: AlignSound.Place], _ edges: [Edge]
  ) {
    (self.lengths, self.owners) = (lengths, owners)
    places = lengths.indices.map { fixed[$0] ?? AlignSound.Place() }
    fixedGroup = fixed.keys.min()
    groups = Array(lengths.indices)
    for index in fixed.keys { groups[index] = fixedGroup ?? index }
    for edge in edges.filter(\.alignment.isSure).sorted(by: Self.isSurer) {
      if groups[edge.from] != groups[edge.to] {
        join(edge)
      } else if misfit(of: edge) <= Self.tolerance {
        agreeing.append(edge)
      } else {
        for step in path(edge.from, edge.to) {
          tree[step].confidence = min(tree[step].confidence, Self.contradicted)
          tree[step].isAgreed = false
        }
      }
    }
    while let bridge = bridge(edges) { join(bridge) }
    settle(fixed)
    // A person heard one way only lies somewhere near.
    for edge in edges.filter(\.alignment.isHeard).sorted(by: Self.isSurer)
    where groups[edge.from] != groups[edge.to] {
      join(edge)
    }
  }

  private static func isSurer(_ one: Edge, _ other: Edge) -> Bool {
    (one.confidence, one.alignment.agreeingCount, other.from, other.to)
      > (other.confidence, other.alignment.agreeingCount, one.from, one.to)
  }

  /// Where `edge` says that the recording, one of both, lies.
  private func place(of index: Int, by edge: Edge) -> AlignSound.Place {
    places[edge.other(index)].of(index == edge.from ? edge.place : edge.place.inverse)
  }

  /// By how many seconds `edge` says otherwise, at most.
  private func misfit(of edge: Edge) -> Double {
    let (said, known) = (place(of: edge.from, by: edge), places[edge.from])
    return [0, lengths[edge.from]].map { abs(said.time($0) - known.time($0)) }.max() ?? 0
  }

  private mutating func join(_ edge: Edge) {
    tree.append(edge)
    agreeing.append(edge)
    let stays = min(groups[edge.from], groups[edge.to])
    let target = [groups[edge.from], groups[edge.to]].contains(fixedGroup) ? fixedGroup : stays
    let moved = groups[edge.from] == target ? edge.to : edge.from
    let (group, step) = (groups[moved], place(of: moved, by: edge).of(places[moved].inverse))
    for index in groups.indices where groups[index] == group {
      places[index] = step.of(places[index])
      groups[index] = groups[edge.other(moved)]
    }
  }

  /// The surest joint of two groups from two people who are each heard in a recording of the other's: a clean microphone
  /// beside a camera with the room's sound hears nobody, but the camera does.
  private func bridge(_ edges: [Edge]) -> Edge? {
    let heard = edges.filter {
      $0.alignment.isHeard && !$0.alignment.isMutual && groups[$0.from] != groups[$0.to]
        && owners[$0.from] != owners[$0.to]
    }
    var best: Edge?
    for (number, one) in heard.enumerated() {
      for other in heard[number...].dropFirst() {
        guard let bridge = bridge(one, other) else { continue }
        if best.map({ Self.isSurer(bridge, $0) }) ?? true { best = bridge }
      }
    }
    return best
  }

  /// The joint half way between two lines, of which one is late and one is early; `nil` if both say of the same person
  /// that it is heard, or if neither can be late.
  private func bridge(_ one: Edge, _ other: Edge) -> Edge? {
    let isReversed = owners[other.from] != owners[one.from]
    let (from, to) = isReversed ? (other.to, other.from) : (other.from, other.to)
    guard owners[from] == owners[one.from], owners[to] == owners[one.to],
      groups[from] == groups[one.from], groups[to] == groups[one.to],
      (other.alignment.isHeardThere != isReversed) != one.alignment.isHeardThere
    else { return nil }
    // The place of `one.from` in `one.to` by the other pair.
    let place = places[one.to].inverse.of(
      (isReversed ? places[to].of(other.place.inverse) : places[to].of(other.place))
        .of(places[from].inverse).of(places[one.from]))
    let later =
      one.alignment.isHeardThere ? one.place.offset - place.offset : place.offset - one.place.offset
    guard later >= -Self.tolerance, later <= 2 * AlignSound.largestDelay else { return nil }
    var bridge = one
    bridge.alignment.offset = (one.place.offset + place.offset) / 2
    bridge.alignment.partsPerMillion = ((one.place.rate + place.rate) / 2 - 1) * 1e6
    bridge.alignment.delay = max(0, later / 2)
    bridge.alignment.agreeingCount += other.alignment.agreeingCount
    bridge.alignment.windowCount += other.alignment.windowCount
    (bridge.alignment.isMutual, bridge.alignment.isOneVoice) = (true, false)
    bridge.confidence = min(one.confidence, other.confidence)
    return bridge
  }

  /// The pairs of the tree on the way from one recording to another, by their numbers.
  func path(_ start: Int, _ end: Int) -> [Int] {
    var (ways, order, next) = ([start: [Int]()], [start], 0)
    while next < order.count, ways[end] == nil {
      let here = order[next]
      for (step, edge) in tree.enumerated() where edge.from == here || edge.to == here {
        guard ways[edge.other(here)] == nil else { continue }
        ways[edge.other(here)] = (ways[here] ?? []) + [step]
        order.append(edge.other(here))
      }
      next += 1
    }
    return ways[end] ?? []
  }

  /// Moves everyone to the middle of where all pairs that agree say.
  private mutating func settle(_ fixed: [Int: AlignSound.Place]) {
    for _ in 0..<Self.rounds {
      for index in groups.indices where groups[index] != index && fixed[index] == nil {
        var (weight, first, last) = (0.0, 0.0, 0.0)
        for edge in agreeing where edge.from == index || edge.to == index {
          let said = place(of: index, by: edge)
          let count = Double(edge.alignment.agreeingCount)
          weight += count
          first += count * said.time(0)
          last += count * said.time(lengths[index])
        }
        guard weight > 0, lengths[index] > 0 else { continue }
        places[index] = AlignSound.Place(
          offset: first / weight, rate: (last - first) / weight / lengths[index])
      }
    }
  }
}
