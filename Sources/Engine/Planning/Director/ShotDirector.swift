import TesseraLayout
import TesseraPlan
import TesseraTimeline

/// Chooses the shots of a call with knowledge of the whole call: the sequence with the lowest total
/// of ``CutsLayout/Costs``. One dynamic program over steps of 40 ms finds it (R. Bellman, "Dynamic
/// Programming", 1957).
///
/// Costs are integers, so that every machine finds the same shots.
struct ShotDirector {
  /// A person and their activity, in steps of the output.
  struct Person {
    /// The person's item number in the layout.
    var item: LayoutItem.ID
    /// The steps in which the person is present, and in which there is a picture.
    var there: [Range<Int>]
    var seen: [Range<Int>]
    /// The steps in which the person speaks. Each range starts early by the lead of a cut.
    var speaks: [Range<Int>]
  }

  /// A shared screen and the steps in which it is shared.
  struct Screen {
    var item: LayoutItem.ID
    var there: [Range<Int>]
  }

  /// A chosen shot and the step at which it starts.
  struct ShotChoice: Hashable {
    var step: Int
    var shot: DirectorShot
  }

  /// The number of steps of the output.
  let count: Int
  let people: [Person]
  let screens: [Screen]
  /// The steps in which a screen has recently changed.
  var changed: [Range<Int>] = []
  /// The steps in which several people laugh.
  var laughter: [Range<Int>] = []
  /// The steps in which words are spoken, from transcripts with word times.
  var words: [Range<Int>] = []
  /// The steps directly after a cut-out part of the call.
  var splices: Set<Int> = []
  let costs: CutsLayout.Costs

  /// The duration of a step.
  static let step = MediaTime(nanoseconds: 40_000_000)
  private static let perSecond = 25
  /// The cost per second of a shot that cannot be shown.
  private static let impossible = 10_000.0
  /// The maximum number of pairs of people considered as shots.
  private static let mostPairs = 12
  /// Durations in steps: two people speaking at once for longer than `crosstalk` justifies a shot
  /// of everybody, and everybody is introduced for `opening`. A listener is shown after
  /// `monologue`, for `reaction`, and repeatedly every `again`.
  private static let (crosstalk, opening) = (2 * perSecond, 4 * perSecond)
  private static let (monologue, reaction, again) = (8 * perSecond, 3 * perSecond, 20 * perSecond)

  /// Returns a cost in thousandths, as an integer.
  private static func whole(_ cost: Double) -> Int { Int(saturating: (cost * 1000).rounded()) }

  /// Returns the cost of one step, given a cost per second.
  private static func perStep(_ cost: Double) -> Int { whole(cost) / perSecond }

  /// Returns the chosen shots; the first starts at step 0.
  func choices() -> [ShotChoice] {
    guard count > 0, !people.isEmpty || !screens.isEmpty else { return [] }
    let shots = self.shots()
    var programme = ShotSequenceSearch(
      shots: shots.count, count: count, cuts: cutCosts(), shortest: steps(costs.shortest),
      longest: steps(costs.longest), long: Self.perStep(costs.long))
    forEachStretch(of: shots) { end, costs in programme.advance(to: end, costs: costs) }
    return programme.row().map { ShotChoice(step: $0.step, shot: shots[$0.shot]) }
  }

  private func steps(_ seconds: Double) -> Int {
    max(1, Int(saturating: (seconds * Double(Self.perSecond)).rounded(.up)))
  }

  // MARK: Shots

  /// Returns all candidate shots.
  func shots() -> [DirectorShot] {
    var shots =
      people.map { DirectorShot.one($0.item) } + pairs().map { DirectorShot.two($0.0, $0.1) }
    shots.append(.everybody)
    for screen in screens { shots += [.one(screen.item), .screenWithSpeaker(screen.item)] }
    return shots
  }

  /// Returns the pairs of people that most often speak one after the other.
  private func pairs() -> [(LayoutItem.ID, LayoutItem.ID)] {
    guard people.count > 1 else { return [] }
    var counts: [[Int]: Int] = [:]
    let turns = people.flatMap { person in
      person.speaks.map { (start: $0.lowerBound, item: person.item) }
    }.sorted { ($0.start, $0.item) < ($1.start, $1.item) }
    for (first, second) in zip(turns, turns.dropFirst()) where first.item != second.item {
      counts[[first.item, second.item].sorted(), default: 0] += 1
    }
    return counts.sorted { ($1.value, $0.key[0], $0.key[1]) < ($0.value, $1.key[0], $1.key[1]) }
      .prefix(Self.mostPairs).map { ($0.key[0], $0.key[1]) }
  }

  // MARK: Costs

  /// Calls `body` for each stretch of steps with equal costs, in order. `costs` is the cost of one
  /// step, for each shot.
  func forEachStretch(of shots: [DirectorShot], _ body: (_ end: Int, _ costs: [Int]) -> Void) {
    let reactions = self.reactions()
    var (moment, start) = (CallMoment(), 0)
    for edge in edges(reactions) {
      if edge.step > start {
        moment.screen = moment.shared.max().map { screens[$0].item }
        moment.listener = moment.reactions.max().map { reactions[$0].listener }
        body(edge.step, shots.map { cost(of: $0, moment) })
        start = edge.step
      }
      if edge.isEnd {
        moment[keyPath: edge.set].remove(edge.item)
      } else {
        moment[keyPath: edge.set].insert(edge.item)
      }
    }
  }

  /// The state of the call between two edges.
  private struct CallMoment {
    /// The item numbers of the people who are present, have a picture, and speak.
    var there: Set<LayoutItem.ID> = []
    var seen: Set<LayoutItem.ID> = []
    var speak: Set<LayoutItem.ID> = []
    /// The indices of the shared screens; the highest one is shown.
    var shared: Set<Int> = []
    var screen: LayoutItem.ID?
    /// The indices of the reactions to monologues; the highest one applies.
    var reactions: Set<Int> = []
    var listener: LayoutItem.ID?
    /// Contains 0 while a screen has recently changed, and while a shot of everybody is justified,
    /// respectively.
    var changed: Set<Int> = []
    var all: Set<Int> = []
  }

  /// A step at which an item enters or leaves one of the sets of a moment.
  private struct MembershipChange {
    var step: Int
    var set: WritableKeyPath<CallMoment, Set<Int>>
    var item: Int
    var isEnd: Bool
  }

  /// Returns all edges ordered by step. The last edge is at the end of the output.
  private func edges(_ reactions: [(listener: LayoutItem.ID, steps: Range<Int>)])
    -> [MembershipChange]
  {
    var edges: [MembershipChange] = []
    func mark(
      _ ranges: [Range<Int>], in set: WritableKeyPath<CallMoment, Set<Int>>, _ item: Int = 0
    ) {
      for range in clamped(ranges) {
        edges.append(MembershipChange(step: range.lowerBound, set: set, item: item, isEnd: false))
        edges.append(MembershipChange(step: range.upperBound, set: set, item: item, isEnd: true))
      }
    }
    for person in people {
      mark(person.there, in: \.there, person.item)
      mark(person.seen, in: \.seen, person.item)
      mark(person.speaks, in: \.speak, person.item)
    }
    for (index, screen) in screens.enumerated() { mark(screen.there, in: \.shared, index) }
    for (index, reaction) in reactions.enumerated() {
      mark([reaction.steps], in: \.reactions, index)
    }
    mark(changed, in: \.changed)
    mark([0..<Self.opening] + laughter + crosstalk(), in: \.all)
    edges.append(MembershipChange(step: count, set: \.all, item: 0, isEnd: true))
    return edges.sorted { $0.step < $1.step }
  }

  /// Returns `ranges` clamped to the output and merged.
  private func clamped(_ ranges: [Range<Int>]) -> [Range<Int>] {
    ranges.map { $0.clamped(to: 0..<count) }.merged
  }

  /// Returns the stretches in which several people speak at once for long.
  private func crosstalk() -> [Range<Int>] {
    // If one person stops as another starts, the number of speakers stays the same.
    let edges = people.flatMap { clamped($0.speaks) }
      .flatMap { [($0.lowerBound, 1), ($0.upperBound, -1)] }
      .sorted { ($0.0, $1.1) < ($1.0, $0.1) }
    var (speakers, start, found) = (0, 0, [Range<Int>]())
    for (step, change) in edges {
      if speakers == 1, change > 0 { start = step }
      speakers += change
      if speakers == 1, change < 0, step - start > Self.crosstalk { found.append(start..<step) }
    }
    return found
  }

  /// Returns the listeners to monologues (the person who spoke before) and the steps in which each
  /// is worth showing.
  private func reactions() -> [(listener: LayoutItem.ID, steps: Range<Int>)] {
    people.flatMap { person in
      person.speaks.filter { $0.count >= Self.monologue + Self.reaction }.flatMap { turn in
        let last = people.filter { $0.item != person.item }.compactMap { other in
          other.speaks.last { $0.upperBound <= turn.lowerBound }.map { ($0.upperBound, other.item) }
        }.max { $0 < $1 }
        let end = turn.upperBound - Self.reaction
        return stride(from: turn.lowerBound + Self.monologue, through: end, by: Self.again)
          .compactMap { start in last.map { ($0.1, start..<start + Self.reaction) } }
      }
    }
  }

  private func cost(of shot: DirectorShot, _ now: CallMoment) -> Int {
    let (isTalk, isScreen) = (!now.speak.isEmpty, now.screen != nil)
    let (hasChanged, isOfAll) = (!now.changed.isEmpty, !now.all.isEmpty)
    var cost = 0.0
    switch shot {
    case .one(let item) where screens.contains(where: { $0.item == item }):
      guard now.screen == item else { return Self.perStep(Self.impossible) }
      cost = hasChanged ? costs.screen : costs.still
    case .screenWithSpeaker(let item):
      guard now.screen == item else { return Self.perStep(Self.impossible) }
      cost = hasChanged ? 0 : costs.still
    case .one(let item):
      guard now.there.contains(item) else { return Self.perStep(Self.impossible) }
      cost = !isTalk || now.speak.contains(item) ? 0 : costs.wrong
      if isOfAll { cost += costs.all }
      if now.listener == item, !now.speak.contains(item) { cost = 0 - costs.listener }
      if !now.seen.contains(item) { cost += costs.card }
    case .two(let first, let second):
      guard now.there.contains(first), now.there.contains(second) else {
        return Self.perStep(Self.impossible)
      }
      let holds = now.speak.contains(first) || now.speak.contains(second)
      cost = !isTalk ? 0 : holds ? costs.two : costs.wrong
      for item in [first, second] where !now.seen.contains(item) { cost += costs.card }
    case .everybody:
      cost = !isTalk || isOfAll ? 0 : costs.all
    }
    // While a screen changes, shots without it cost at least `aside`.
    let isOfPeople =
      switch shot {
      case .one(let item): !screens.contains { $0.item == item }
      case .two, .everybody: true
      case .screenWithSpeaker: false
      }
    if isScreen, hasChanged, isOfPeople { cost = max(cost, costs.aside) }
    return Self.perStep(cost)
  }

  /// Returns the cost of a cut before each step.
  func cutCosts() -> [Int] {
    var cuts = [Int](repeating: Self.whole(costs.cut), count: count + 1)
    for word in words {
      let inside = (word.lowerBound + 1)..<max(word.lowerBound + 1, word.upperBound)
      for step in inside.clamped(to: 0..<count) {
        cuts[step] = Self.whole(costs.cut) + Self.whole(costs.word)
      }
    }
    for splice in splices where cuts.indices.contains(splice) { cuts[splice] = 0 }
    return cuts
  }
}

/// Finds the sequence of shots with the lowest cost, none shorter than ``shortest``, step by step.
private struct ShotSequenceSearch {
  private let shots, count: Int
  /// The cost of a cut before each step.
  private let cuts: [Int]
  /// The minimum number of steps of a shot, the number after which a shot is long, and the extra
  /// cost of each further step.
  private let shortest, longest, long: Int
  /// The bit mask for indices of the ring ``begun``: its length in steps, a power of two, minus
  /// one.
  private let mask: Int

  private static let never = Int.max / 4

  /// The cheapest sequence that ends with a given shot, and the step at which that shot started.
  private struct CheapestEnd {
    var cost = never
    var start = 0
  }

  /// The two shots that are cheapest to end before a step, and the steps at which they started.
  private struct CheapestEndings {
    var best, second: Int32
    var bestStart, secondStart: Int32
  }

  private var step = 0
  /// For each shot, the cost of showing it in all steps so far.
  private var sums: [Int]
  /// For each recent step and each shot, the cost of the cheapest sequence that starts the shot at
  /// that step, minus the shot's sum before it.
  private var begun: [Int]
  /// For each shot, a monotonic queue of recent start steps, in order of ascending cost.
  private var queues: [Int32]
  private var heads, tails: [Int]
  /// For each shot, the cheapest sequence in which it is long, and the cheapest in which it may end
  /// now.
  private var lasting, ends: [CheapestEnd]
  private var endings = [CheapestEndings(best: 0, second: 0, bestStart: 0, secondStart: 0)]

  init(shots: Int, count: Int, cuts: [Int], shortest: Int, longest: Int, long: Int) {
    (self.shots, self.count, self.cuts, self.long) = (shots, count, cuts, long)
    self.shortest = min(shortest, count)
    self.longest = min(max(longest, self.shortest), count)
    mask = (1 << (Int.bitWidth - self.longest.leadingZeroBitCount)) - 1
    sums = Array(repeating: 0, count: shots)
    begun = Array(repeating: 0, count: shots * (mask + 1))
    queues = Array(repeating: 0, count: shots * (mask + 1))
    (heads, tails) = (sums, sums)
    lasting = Array(repeating: CheapestEnd(), count: shots)
    ends = lasting
    endings.reserveCapacity(count + 1)
  }

  /// Advances to step `end`; each step has the same `costs`, one for each shot.
  mutating func advance(to end: Int, costs: [Int]) {
    while step < end {
      step += 1
      for shot in 0..<shots { extend(shot, by: costs[shot]) }
      begin()
    }
  }

  /// Finds the best start of `shot` if it ends before the current step. `cost` is the cost of the
  /// last step.
  private mutating func extend(_ shot: Int, by cost: Int) {
    sums[shot] += cost
    var end = CheapestEnd()
    let (latest, queue) = (step - shortest, shot * (mask + 1))
    if latest >= 0 {
      let new = begun[(latest & mask) * shots + shot]
      var (head, tail) = (heads[shot], tails[shot])
      while tail > head,
        begun[(Int(queues[queue + (tail - 1) & mask]) & mask) * shots + shot] > new
      {
        tail -= 1
      }
      queues[queue + tail & mask] = Int32(latest)
      while Int(queues[queue + head & mask]) < step - longest { head += 1 }
      (heads[shot], tails[shot]) = (head, tail + 1)
      let start = Int(queues[queue + head & mask])
      end = CheapestEnd(cost: begun[(start & mask) * shots + shot] + sums[shot], start: start)
    }
    if lasting[shot].cost < Self.never { lasting[shot].cost += cost + long }
    if step > longest {
      let start = step - longest - 1
      let cost = begun[(start & mask) * shots + shot] + sums[shot] + long
      if cost < lasting[shot].cost { lasting[shot] = CheapestEnd(cost: cost, start: start) }
    }
    ends[shot] = lasting[shot].cost < end.cost ? lasting[shot] : end
  }

  /// Starts each shot at the current step, after the cheapest different shot.
  private mutating func begin() {
    var (best, second) = ends[1].cost < ends[0].cost ? (1, 0) : (0, 1)
    for shot in 2..<max(2, shots) {
      if ends[shot].cost < ends[best].cost {
        (best, second) = (shot, best)
      } else if ends[shot].cost < ends[second].cost {
        second = shot
      }
    }
    let row = (step & mask) * shots
    for shot in 0..<shots {
      let other = shot == best ? second : best
      begun[row + shot] = min(Self.never, ends[other].cost + cuts[step]) - sums[shot]
    }
    endings.append(
      CheapestEndings(
        best: Int32(best), second: Int32(second), bestStart: Int32(ends[best].start),
        secondStart: Int32(ends[second].start)))
  }

  /// Returns the chosen shots and their start steps, after all steps were processed.
  func row() -> [(step: Int, shot: Int)] {
    var (step, last, row) = (count, -1, [(step: Int, shot: Int)]())
    while step > 0 {
      let ending = endings[step]
      let isBest = Int(ending.best) != last
      last = Int(isBest ? ending.best : ending.second)
      step = Int(isBest ? ending.bestStart : ending.secondStart)
      row.append((step, last))
    }
    return row.reversed()
  }
}
