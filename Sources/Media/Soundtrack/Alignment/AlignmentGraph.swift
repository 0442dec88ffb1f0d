/// Places recordings on common timelines from alignments of pairs.
///
/// The most confident pairs join recordings to groups. Further pairs within a group show whether
/// all alignments are consistent.
struct AlignmentGraph {
  /// The alignment of one pair of recordings.
  struct Edge {
    /// The index of the recording that is placed.
    var from: Int
    /// The index of the reference recording.
    var to: Int
    var alignment: SoundAligner.Alignment
    /// The confidence of the pair, lowered to ``contradicted`` if another pair contradicts it.
    var confidence: Double
    /// False if another pair contradicts this pair.
    var isAgreed = true

    init(from: Int, to: Int, _ alignment: SoundAligner.Alignment) {
      (self.from, self.to, self.alignment) = (from, to, alignment)
      confidence = alignment.confidence
    }

    /// The placement of recording `from` in recording `to`.
    var place: SoundAligner.Position {
      SoundAligner.Position(offset: alignment.offset, rate: 1 + alignment.partsPerMillion / 1e6)
    }

    func other(_ index: Int) -> Int { index == from ? to : from }
  }

  /// The largest difference, in seconds, between the lags of pairs that agree.
  private static let tolerance = 0.02
  /// The upper limit of a pair's confidence if another pair contradicts it.
  private static let contradicted = 0.5
  /// The number of relaxation rounds in ``settle(_:)``; placements hardly move after them.
  private static let rounds = 50

  /// The duration of each recording, in seconds.
  private let lengths: [Double]
  /// The number of each recording's owner.
  private let owners: [Int]
  /// The placement of each recording on its group's timeline.
  private(set) var places: [SoundAligner.Position]
  /// The group of each recording, as the index of the group's first member. Recordings of a group
  /// have known relative placements.
  private(set) var groups: [Int]
  /// The pairs that joined groups, most confident first: a spanning tree of each group.
  private(set) var tree: [Edge] = []
  /// The pairs of ``tree`` and the pairs within a group that agree with it.
  private var agreeing: [Edge] = []
  /// The group of the recordings with known placements, which do not move; `nil` if there is none.
  private let fixedGroup: Int?

  /// Joins recordings by `edges`.
  ///
  /// - Parameters:
  ///   - lengths: The duration of each recording, in seconds.
  ///   - owners: The number of each recording's owner.
  ///   - fixed: Known placements by recording index.
  ///   - edges: The compared pairs.
  init(
    _ lengths: [Double], owners: [Int], fixed: [Int: SoundAligner.Position], _ edges: [Edge]
  ) {
    (self.lengths, self.owners) = (lengths, owners)
    places = lengths.indices.map { fixed[$0] ?? SoundAligner.Position() }
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
    // A recording that is heard in one direction only has an approximate placement.
    for edge in edges.filter(\.alignment.isHeard).sorted(by: Self.isSurer)
    where groups[edge.from] != groups[edge.to] {
      join(edge)
    }
  }

  private static func isSurer(_ one: Edge, _ other: Edge) -> Bool {
    (one.confidence, one.alignment.agreeingCount, other.from, other.to)
      > (other.confidence, other.alignment.agreeingCount, one.from, one.to)
  }

  /// Returns the placement of recording `index`, one of the two of `edge`, according to `edge`.
  private func place(of index: Int, by edge: Edge) -> SoundAligner.Position {
    places[edge.other(index)].of(index == edge.from ? edge.place : edge.place.inverse)
  }

  /// Returns the largest distance, in seconds, between the placements of `edge.from` by `edge` and
  /// by the group.
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

  /// Returns the most confident joint of two groups by two people who are each heard in a recording
  /// of the other's.
  ///
  /// A clean microphone beside a camera with the room's sound hears nobody else, but the camera
  /// does.
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

  /// Returns the joint half way between two lines, one of which is late and one early.
  ///
  /// Returns `nil` if both pairs hear the same person, or if neither line can be late.
  private func bridge(_ one: Edge, _ other: Edge) -> Edge? {
    let isReversed = owners[other.from] != owners[one.from]
    let (from, to) = isReversed ? (other.to, other.from) : (other.from, other.to)
    guard owners[from] == owners[one.from], owners[to] == owners[one.to],
      groups[from] == groups[one.from], groups[to] == groups[one.to],
      (other.alignment.isHeardThere != isReversed) != one.alignment.isHeardThere
    else { return nil }
    // The placement of `one.from` in `one.to` according to the other pair.
    let place = places[one.to].inverse.of(
      (isReversed ? places[to].of(other.place.inverse) : places[to].of(other.place))
        .of(places[from].inverse).of(places[one.from]))
    let later =
      one.alignment.isHeardThere ? one.place.offset - place.offset : place.offset - one.place.offset
    guard later >= -Self.tolerance, later <= 2 * SoundAligner.largestDelay else { return nil }
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

  /// Finds the path in the tree from one recording to another, as indices into ``tree``; empty if
  /// there is none.
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

  /// Moves each recording to the weighted mean of the placements that all agreeing pairs give it.
  private mutating func settle(_ fixed: [Int: SoundAligner.Position]) {
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
        places[index] = SoundAligner.Position(
          offset: first / weight, rate: (last - first) / weight / lengths[index])
      }
    }
  }
}
