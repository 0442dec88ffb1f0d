import TesseraLayout
import TesseraTimeline

/// Chooses the shots of a call with hindsight: the cheapest row of shots by ``CutsLayout/Costs``, found
/// by one dynamic programme over steps of 40 ms (R. Bellman, "Dynamic Programming", 1957).
///
/// Costs are whole numbers, so that every machine finds the same shots.
struct Director {
  /// A person, by the steps of the output.
  struct Person {
    /// The layout's number for the person.
    var item: LayoutItem.ID
    /// When the person is there, and when there is a picture.
    var there: [Range<Int>]
    var seen: [Range<Int>]
    /// When the person speaks, as early as a cut is to come.
    var speaks: [Range<Int>]
  }

  /// A shared screen.
  struct Screen {
    var item: LayoutItem.ID
    var there: [Range<Int>]
  }

  /// A shot from a step on.
  struct Choice: Hashable {
    var step: Int
    var shot: Shot
  }

  /// How many steps the output has.
  let count: Int
  let people: [Person]
  let screens: [Screen]
  /// When a screen has changed lately.
  var changed: [Range<Int>] = []
  /// When everybody laughs.
  var laughter: [Range<Int>] = []
  /// When words are said, where transcripts have their times.
  var words: [Range<Int>] = []
  /// The steps with which something was cut out before them.
  var splices: Set<Int> = []
  let costs: CutsLayout.Costs

  /// The length of a step.
  static let step = MediaTime(nanoseconds: 40_000_000)
  private static let perSecond = 25
  /// What cannot be shown costs so much a second.
  private static let impossible = 10_000.0
  /// The most pairs of people that are shots.
  private static let mostPairs = 12
  /// Two people at once for longer is crosstalk; everybody is introduced for so long; a listener is
  /// seen after so long a monologue, for so long, and so often.
  private static let (crosstalk, opening) = (2 * perSecond, 4 * perSecond)
  private static let (monologue, reaction, again) = (8 * perSecond, 3 * perSecond, 20 * perSecond)

  /// A cost in whole thousandths.
  private static func whole(_ cost: Double) -> Int { Int(saturating: (cost * 1000).rounded()) }

  /// The cost of a step.
  private static func perStep(_ cost: Double) -> Int { whole(cost) / perSecond }

  /// The shots, the first one from step 0 on.
  func choices() -> [Choice] {
    guard count > 0, !people.isEmpty || !screens.isEmpty else { return [] }
    let shots = self.shots()
    let columns = shots.map { sums(of: $0) }
    let starts = Programme(
      columns: columns, count: count, cuts: cutCosts(), splices: splices,
      shortest: steps(costs.shortest), longest: steps(costs.longest),
      long: Self.perStep(costs.long)
    ).solve()
    return starts.map { Choice(step: $0.step, shot: shots[$0.shot]) }
  }

  private func steps(_ seconds: Double) -> Int {
    max(1, Int(saturating: (seconds * Double(Self.perSecond)).rounded(.up)))
  }

  // MARK: Shots

  /// All shots that are worth looking at.
  private func shots() -> [Shot] {
    var shots = people.map { Shot.one($0.item) } + pairs().map { Shot.two($0.0, $0.1) }
    shots.append(.everybody)
    for screen in screens { shots += [.one(screen.item), .screenWithSpeaker(screen.item)] }
    return shots
  }

  /// Those who speak one after the other most often.
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

  /// What the steps before each one cost of a shot, together.
  private func sums(of shot: Shot) -> [Int] {
    var sums = [0]
    sums.reserveCapacity(count + 1)
    var sum = 0
    for step in 0..<count {
      sum += cost(of: shot, moments[step])
      sums.append(sum)
    }
    return sums
  }

  /// The state of the call in a step.
  private struct Moment {
    /// The numbers of the people who are there, seen, and speak.
    var there: Set<LayoutItem.ID> = []
    var seen: Set<LayoutItem.ID> = []
    var speak: Set<LayoutItem.ID> = []
    var screen: LayoutItem.ID?
    var hasChanged = false
    /// Whether everybody is worth seeing.
    var isOfAll = false
    /// The listener to a monologue.
    var listener: LayoutItem.ID?
  }

  private let moments: [Moment]

  init(
    count: Int, people: [Person], screens: [Screen], changed: [Range<Int>] = [],
    laughter: [Range<Int>] = [], words: [Range<Int>] = [], splices: Set<Int> = [],
    costs: CutsLayout.Costs = .init()
  ) {
    (self.count, self.people, self.screens) = (count, people, screens)
    (self.changed, self.laughter, self.words) = (changed, laughter, words)
    (self.splices, self.costs) = (splices, costs)
    var moments = [Moment](repeating: Moment(), count: count)
    func mark(_ ranges: [Range<Int>], _ change: (inout Moment) -> Void) {
      for range in ranges {
        for step in range.clamped(to: 0..<count) { change(&moments[step]) }
      }
    }
    for person in people {
      mark(person.there) { $0.there.insert(person.item) }
      mark(person.seen) { $0.seen.insert(person.item) }
      mark(person.speaks) { $0.speak.insert(person.item) }
    }
    for screen in screens { mark(screen.there) { $0.screen = screen.item } }
    mark(changed) { $0.hasChanged = true }
    mark([0..<Self.opening] + laughter) { $0.isOfAll = true }
    var start = 0
    while start < count {
      let talks = moments[start].speak.count > 1
      let end = moments[start...].firstIndex { ($0.speak.count > 1) != talks } ?? count
      if talks, end - start > Self.crosstalk { mark([start..<end]) { $0.isOfAll = true } }
      start = end
    }
    for (person, turn) in people.flatMap({ person in person.speaks.map { (person, $0) } }) {
      let others = people.filter { $0.item != person.item }
      let last = others.compactMap { other -> (Int, LayoutItem.ID)? in
        other.speaks.last { $0.upperBound <= turn.lowerBound }.map { ($0.upperBound, other.item) }
      }.max { $0 < $1 }
      guard let listener = last?.1 else { continue }
      var place = turn.lowerBound + Self.monologue
      while place + Self.reaction <= turn.upperBound {
        mark([place..<place + Self.reaction]) { $0.listener = listener }
        place += Self.again
      }
    }
    self.moments = moments
  }

  private func cost(of shot: Shot, _ now: Moment) -> Int {
    let (isTalk, isScreen) = (!now.speak.isEmpty, now.screen != nil)
    var cost = 0.0
    switch shot {
    case .one(let item) where screens.contains(where: { $0.item == item }):
      guard now.screen == item else { return Self.perStep(Self.impossible) }
      cost = now.hasChanged ? costs.screen : costs.still
    case .screenWithSpeaker(let item):
      guard now.screen == item else { return Self.perStep(Self.impossible) }
      cost = now.hasChanged ? 0 : costs.still
    case .one(let item):
      guard now.there.contains(item) else { return Self.perStep(Self.impossible) }
      cost = !isTalk || now.speak.contains(item) ? 0 : costs.wrong
      if now.isOfAll { cost += costs.all }
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
      cost = !isTalk || now.isOfAll ? 0 : costs.all
    }
    // While a screen has changed, people alone are beside the matter.
    let isOfPeople =
      switch shot {
      case .one(let item): !screens.contains { $0.item == item }
      case .two, .everybody: true
      case .screenWithSpeaker: false
      }
    if isScreen, now.hasChanged, isOfPeople { cost = max(cost, costs.aside) }
    return Self.perStep(cost)
  }

  /// What a cut before each step costs.
  private func cutCosts() -> [Int] {
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

/// The cheapest row of shots, none of which is shorter than ``shortest``.
private struct Programme {
  /// For each shot, what the steps before each one cost together.
  let columns: [[Int]]
  let count: Int
  /// What a cut before each step costs.
  let cuts: [Int]
  let splices: Set<Int>
  /// The shortest shot; after how many steps one is long; what a step of a long one costs besides.
  let shortest, longest, long: Int

  private static let never = Int.max / 4

  /// A shot that may end, and where it began.
  private struct End {
    var cost = never
    var start = 0
  }

  /// The first steps of the shots, and which they are.
  func solve() -> [(step: Int, shot: Int)] {
    let shortest = min(shortest, max(1, count))
    let longest = max(longest, shortest)
    // What all that comes before a shot costs that begins with a step, and the shot before it.
    var (enter, from) = ([[Int]](), [[Int16]]())
    var starts = columns.map { _ in [Int32](repeating: 0, count: count + 1) }
    var queues = columns.map { _ in [(start: Int, cost: Int)]() }
    var heads = columns.map { _ in 0 }
    var lasting = columns.map { _ in End() }
    var ends = columns.map { _ in End() }
    enter.reserveCapacity(count + 1)
    from.reserveCapacity(count + 1)
    for step in 0...count {
      for shot in columns.indices {
        let column = columns[shot]
        ends[shot] = End()
        let latest = step - shortest
        if latest >= 0 {
          // The best beginning of the last seconds, in a queue of ever dearer ones.
          let cost = enter[latest][shot] - column[latest]
          while queues[shot].count > heads[shot], let last = queues[shot].last, last.cost > cost {
            queues[shot].removeLast()
          }
          queues[shot].append((latest, cost))
          while queues[shot][heads[shot]].start < step - longest { heads[shot] += 1 }
          let best = queues[shot][heads[shot]]
          ends[shot] = End(cost: best.cost + column[step], start: best.start)
        }
        // A shot that is long.
        if step > 0, lasting[shot].cost < Self.never {
          lasting[shot].cost += column[step] - column[step - 1] + long
        }
        if step > longest {
          let first = step - longest - 1
          let cost = enter[first][shot] + column[step] - column[first] + long
          if cost < lasting[shot].cost { lasting[shot] = End(cost: cost, start: first) }
        }
        if lasting[shot].cost < ends[shot].cost { ends[shot] = lasting[shot] }
        starts[shot][step] = Int32(ends[shot].start)
      }
      let (row, before) = next(step, ends)
      enter.append(row)
      from.append(before)
    }
    return trace(ends, starts, from)
  }

  /// What it costs to begin each shot with `step`.
  private func next(_ step: Int, _ ends: [End]) -> ([Int], [Int16]) {
    guard step > 0 else {
      return (columns.map { _ in 0 }, columns.map { _ in -1 })
    }
    // The two that are cheapest to end here, of which one is another shot.
    var (best, second) = (0, ends.count > 1 ? 1 : 0)
    if ends[second].cost < ends[best].cost { swap(&best, &second) }
    for shot in ends.indices.dropFirst(2) {
      if ends[shot].cost < ends[best].cost {
        (best, second) = (shot, best)
      } else if ends[shot].cost < ends[second].cost {
        second = shot
      }
    }
    var (row, before) = ([Int](), [Int16]())
    for shot in columns.indices {
      let other = shot == best ? second : best
      row.append(other == shot ? Self.never : min(Self.never, ends[other].cost + cuts[step]))
      before.append(Int16(other))
    }
    return (row, before)
  }

  private func trace(
    _ ends: [End], _ starts: [[Int32]], _ from: [[Int16]]
  ) -> [(step: Int, shot: Int)] {
    var shot = ends.indices.min { (ends[$0].cost, $0) < (ends[$1].cost, $1) } ?? 0
    var (step, shots) = (count, [(step: Int, shot: Int)]())
    while step > 0 {
      let start = Int(starts[shot][step])
      shots.append((start, shot))
      guard start > 0 else { break }
      (step, shot) = (start, Int(from[start][shot]))
    }
    return shots.reversed()
  }
}
