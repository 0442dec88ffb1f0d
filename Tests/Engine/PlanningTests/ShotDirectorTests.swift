import TesseraLayout
import TesseraPlan
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlanning

/// The shots that a director chooses.
@Suite("The director", .timed) struct ShotDirectorTests {
  /// Returns the steps of 40 ms between two times in seconds.
  private static func steps(_ from: Double, _ to: Double) -> Range<Int> {
    Int((from * 25).rounded())..<Int((to * 25).rounded())
  }

  private static func director(
    _ seconds: Double, _ turns: [[(Double, Double)]],
    screen: [(Double, Double)] = [], changed: [(Double, Double)] = [],
    words: [(Double, Double)] = [], splices: [Double] = [], unseen: Set<Int> = [],
    _ change: (inout CutsLayout.Costs) -> Void = { _ in }
  ) -> ShotDirector {
    var costs = CutsLayout.Costs()
    change(&costs)
    let whole = [steps(0, seconds)]
    return ShotDirector(
      count: steps(0, seconds).upperBound,
      people: turns.enumerated().map { number, turns in
        ShotDirector.Person(
          item: number, there: whole, seen: unseen.contains(number) ? [] : whole,
          speaks: turns.map { steps($0.0, $0.1) })
      },
      screens: screen.isEmpty
        ? [] : [ShotDirector.Screen(item: 100, there: screen.map { steps($0.0, $0.1) })],
      changed: changed.map { steps($0.0, $0.1) }, words: words.map { steps($0.0, $0.1) },
      splices: Set(splices.map { steps(0, $0).upperBound }), costs: costs)
  }

  /// Returns the shot at a time in seconds.
  private static func shot(_ director: ShotDirector, at time: Double) -> DirectorShot? {
    director.choices().last { Double($0.step) <= time * 25 }?.shot
  }

  private static let talk: [[(Double, Double)]] = [[(0, 10), (20, 30)], [(10, 20), (30, 40)], []]

  @Test("All people are shown first, then the speaker, from the first word on")
  func speakers() {
    let choices = Self.director(40, Self.talk).choices()
    #expect(choices.first == ShotDirector.ShotChoice(step: 0, shot: .everybody))
    #expect(choices.dropFirst().first?.shot == .one(0))
    #expect(choices.contains(ShotDirector.ShotChoice(step: 250, shot: .one(1))), "\(choices)")
    #expect(choices.contains(ShotDirector.ShotChoice(step: 500, shot: .one(0))))
  }

  @Test("Two people who alternate quickly are shown together")
  func two() {
    let turns = stride(from: 10.0, to: 30, by: 2.4).map { ($0, $0 + 1.2) }
    let answers = turns.map { ($0.0 + 1.2, $0.1 + 1.2) }
    let director = Self.director(40, [[(0, 10)] + turns, answers, []])
    #expect(Self.shot(director, at: 20) == .two(0, 1), "\(director.choices())")
  }

  @Test("All people are shown while many speak at once")
  func crosstalk() {
    let director = Self.director(
      30, [[(0, 12), (12, 18)], [(12, 18)], [(12, 18)]])
    #expect(Self.shot(director, at: 15) == .everybody, "\(director.choices())")
  }

  @Test("A changing screen is shown with its speaker; a still screen gives way")
  func screen() {
    let director = Self.director(
      60, [[(0, 60)], []], screen: [(10, 60)], changed: [(10, 25)])
    #expect(Self.shot(director, at: 12) == .screenWithSpeaker(100), "\(director.choices())")
    #expect(Self.shot(director, at: 40) != .screenWithSpeaker(100))
  }

  @Test(
    "Each cost decides alone",
    arguments: [
      "cut", "two", "all", "aside", "still", "card", "word", "long", "shortest", "screen",
      "listener",
      "wrong",
    ])
  func costs(name: String) {
    let quick = stride(from: 10.0, to: 30, by: 2.4).map { ($0, $0 + 1.2) }
    let answers = quick.map { ($0.0 + 1.2, $0.1 + 1.2) }
    let shared = [(10.0, 60.0)]
    let change: (inout CutsLayout.Costs) -> Void = { costs in
      switch name {
      case "cut": costs.cut = 900
      case "two": costs.two = 24
      case "all": costs.all = 0
      case "aside": costs.aside = 0
      case "still": costs.still = 0
      case "card": costs.card = 200
      case "word": costs.word = 900
      case "long": costs.long = 90
      case "shortest": costs.shortest = 15
      case "screen":
        costs.screen = 0
        costs.still = 0
      case "listener": costs.listener = 90
      default: costs.wrong = 0
      }
    }
    func director(_ change: (inout CutsLayout.Costs) -> Void) -> ShotDirector {
      switch name {
      case "two": Self.director(40, [[(0, 10)] + quick, answers, []], change)
      case "aside", "still", "screen":
        Self.director(60, [[(0, 60)], []], screen: shared, changed: [(10, 25)]) {
          $0.long = 0
          change(&$0)
        }
      case "long", "listener": Self.director(60, [[(5, 60)], [(0, 5)]], change)
      case "card": Self.director(40, Self.talk, unseen: [1], change)
      case "word": Self.director(40, Self.talk, words: [(9, 11)], change)
      default: Self.director(40, Self.talk, change)
      }
    }
    #expect(director(change).choices() != director { _ in }.choices())
  }

  @Test("A cut at a splice costs nothing")
  func splices() {
    let plain = Self.director(12, [[(0, 6)], [(6, 12)]]) { $0.cut = 500 }
    let spliced = Self.director(12, [[(0, 6)], [(6, 12)]], splices: [6]) { $0.cut = 500 }
    #expect(plain.choices().count == 1)
    #expect(spliced.choices().contains { $0.step == 150 }, "\(spliced.choices())")
  }

  @Test("Random calls: no shot is too short, and speakers are shown")
  func random() {
    var random = SplitMix64(seed: 45)
    var (shown, spoken) = (0, 0)
    var (cuts, cutWords) = (0, 0)
    for _ in 0..<1000 {
      let people = 2 + Int(random.next() % 4)
      var turns = [[(Double, Double)]](repeating: [], count: people)
      var (time, last) = (0.0, -1)
      while time < 90 {
        var next = Int(random.next() % UInt64(people))
        if next == last { next = (next + 1) % people }
        let length = 0.7 + Double(random.next() % 140) / 10
        turns[next].append((time, min(90, time + length)))
        time += length + Double(random.next() % 20) / 10 - 0.5
        last = next
      }
      // Words of a third of a second with gaps of 80 ms between them.
      let words = turns.joined().flatMap { turn in
        stride(from: turn.0, to: turn.1 - 0.32, by: 0.4).map { ($0, $0 + 0.32) }
      }
      let director = Self.director(90, turns, words: words)
      let choices = director.choices()
      let ends = choices.dropFirst().map(\.step) + [director.count]
      cuts += choices.count - 1
      cutWords += choices.dropFirst().count { choice in
        director.words.contains { $0.lowerBound < choice.step && choice.step < $0.upperBound }
      }
      for (choice, end) in zip(choices, ends) {
        #expect(end - choice.step >= 63, "\(choice)")
        for (person, own) in turns.enumerated() {
          for turn in own {
            let count = Self.steps(turn.0, turn.1).clamped(to: choice.step..<end).count
            spoken += count
            switch choice.shot {
            case .one(let item): shown += item == person ? count : 0
            case .two(let first, let second): shown += [first, second].contains(person) ? count : 0
            case .everybody: shown += count
            case .screenWithSpeaker: break
            }
          }
        }
      }
      #expect(
        choices.first?.step == 0
          && zip(choices, choices.dropFirst()).allSatisfy {
            $0.shot != $1.shot
          })
    }
    // With two people speaking at once, every cut to one of them is within a word of the other.
    #expect(cutWords * 100 <= cuts * 3, "\(cutWords) of \(cuts)")
    #expect(Double(shown) >= 0.95 * Double(spoken), "\(shown) of \(spoken)")
  }

  /// A random call with all inputs of a director: people who come and go, and all kinds of costs.
  private static func call(seed: UInt64, most: Int = 2500) -> ShotDirector {
    var random = SplitMix64(seed: seed)
    func below(_ end: Int) -> Int { Int(random.next() % UInt64(max(1, end))) }
    let number = Int(seed % 7)
    let count = 25 + below(most)
    func ranges(_ number: Int, _ longest: Int) -> [Range<Int>] {
      (0..<number).map { _ in
        let start = below(count + 40) - 20
        return start..<start + below(longest)
      }
    }
    var turns = [[Range<Int>]](repeating: [], count: number)
    var (time, last) = (below(50), -1)
    while number > 0, time < count {
      last = below(3) == 0 ? below(number) : (last + 1) % min(number, 4)
      let end = time + 8 + below(below(6) == 0 ? 1200 : 200)
      turns[last].append(time..<end)
      time = max(0, end + below(60) - 25)
    }
    let people = turns.enumerated().map { item, turns in
      let there = below(3) == 0 ? ranges(3, count) : [0..<count + below(3)]
      return ShotDirector.Person(
        item: item, there: there, seen: below(3) == 0 ? ranges(2, 2000) : there, speaks: turns)
    }
    let screens = (0..<below(3)).map {
      ShotDirector.Screen(item: 100 + $0, there: ranges(2, count))
    }
    var costs = CutsLayout.Costs()
    func some(_ most: Int) -> Double { Double(below(most * 10)) / 10 }
    if below(2) == 0 { (costs.wrong, costs.two, costs.all) = (some(50), some(10), some(20)) }
    if below(2) == 0 { (costs.aside, costs.screen, costs.still) = (some(20), some(5), some(20)) }
    if below(2) == 0 { (costs.card, costs.listener) = (some(10), some(9)) }
    if below(2) == 0 { (costs.cut, costs.word, costs.long) = (some(12), some(6), some(4)) }
    if below(2) == 0 { (costs.longest, costs.shortest) = (2 + some(30), 0.5 + some(8)) }
    let words = turns.joined().flatMap { turn in
      stride(from: turn.lowerBound, to: turn.upperBound, by: 10).map { $0..<$0 + 8 }
    }
    return ShotDirector(
      count: count, people: people, screens: screens, changed: ranges(3, 500),
      laughter: ranges(2, 80), words: words, splices: Set((0..<3).map { _ in below(count) }),
      costs: costs)
  }

  @Test("The shots of 100 random calls stay constant")
  func sameShots() {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    var count = 0
    for choice in (0..<100).flatMap({ Self.call(seed: $0).choices() }) {
      let numbers =
        switch choice.shot {
        case .one(let item): [1, item]
        case .two(let first, let second): [2, first, second]
        case .everybody: [3]
        case .screenWithSpeaker(let item): [4, item]
        }
      for number in [choice.step] + numbers {
        digest = (digest ^ UInt64(number)) &* 0x100_0000_01b3
      }
      count += 1
    }
    #expect(count == 588)
    #expect(digest == 9_555_654_699_941_240_836)
  }

  @Test("No sequence of shots is cheaper")
  func cheapest() {
    for seed in 1...20 as ClosedRange<UInt64> {
      let director = Self.call(seed: seed, most: 400)
      let (shots, cuts, count) = (director.shots(), director.cutCosts(), director.count)
      var sums = shots.map { _ in [0] }
      director.forEachStretch(of: shots) { end, costs in
        for index in shots.indices {
          while sums[index].count <= end {
            sums[index].append(sums[index][sums[index].count - 1] + costs[index])
          }
        }
      }
      let shortest = min(count, Int((director.costs.shortest * 25).rounded(.up)))
      let longest = max(shortest, Int((director.costs.longest * 25).rounded(.up)))
      let long = Int((director.costs.long * 1000).rounded()) / 25
      func cost(_ shot: Int, _ start: Int, _ end: Int) -> Int {
        sums[shot][end] - sums[shot][start] + max(0, end - start - longest) * long
          + (start == 0 ? 0 : cuts[start])
      }
      // For each step and shot: the cost of the cheapest sequence that ends there with that shot,
      // and of the cheapest one before it.
      let never = Int.max / 4
      var ends = [[Int]](repeating: shots.map { _ in never }, count: count + 1)
      var befores = [[Int]](repeating: shots.map { _ in never }, count: count + 1)
      befores[0] = shots.map { _ in 0 }
      for end in shortest...count where !shots.isEmpty {
        for shot in shots.indices {
          for start in 0...end - shortest {
            ends[end][shot] = min(ends[end][shot], befores[start][shot] + cost(shot, start, end))
          }
        }
        for shot in shots.indices {
          for other in shots.indices where other != shot {
            befores[end][shot] = min(befores[end][shot], ends[end][other])
          }
        }
      }
      let choices = director.choices()
      let found = zip(choices, choices.dropFirst().map(\.step) + [count]).map { choice, end in
        shots.firstIndex(of: choice.shot).map { cost($0, choice.step, end) } ?? never
      }
      #expect(choices.isEmpty || found.reduce(0, +) == ends[count].min(), "\(seed): \(choices)")
    }
  }

  @Test("Three voices at once for a while count as laughter, even if each is short")
  func laughter() {
    func ranges(_ pairs: [(Double, Double)]) -> [TimeRange] {
      pairs.map { pair in
        TimeRange(
          start: MediaTime(nanoseconds: Int64(pair.0 * 1e9)),
          end: MediaTime(nanoseconds: Int64(pair.1 * 1e9)))
      }
    }
    let two = [ranges([(0, 10)]), ranges([(4, 6)])]
    #expect(DirectorInputBuilder.laughter(two).isEmpty)
    #expect(DirectorInputBuilder.laughter(two + [ranges([(5, 5.5)])]).isEmpty)
    #expect(
      DirectorInputBuilder.laughter(two + [ranges([(5, 7)]), ranges([(5.5, 5.7)])])
        == ranges([(5, 6)]))
  }

  @Test("Names appear in a person's first shot, after a minute's absence, and in every wide shot")
  func names() throws {
    let rate = FrameRate.thirty
    let seats = (0..<3).map { number in
      var slot = TileTimeline(
        id: SlotID(number), participant: ParticipantID(rawValue: "\(number)"), kind: .camera)
      slot.presence = [0..<6000]
      return ScenePlanner.Seat(
        slot: slot, names: [], classes: [], trackIDs: [], isLocal: false, isFocused: false)
    }
    let call = DirectorInputBuilder(
      layout: CutsLayout(), seats: seats, speech: ActiveSpeakerPlanner.Speech(), moving: [],
      lines: [],
      cut: FrameSelection([0..<3000, 3300..<6000]), rate: rate)
    let shots: [(Int, DirectorShot)] = [
      (0, .everybody), (100, .one(0)), (200, .two(0, 1)), (260, .one(0)), (3000, .one(1)),
      (3060, .one(0)), (5000, .everybody),
    ]
    let names = call.names(shots.map { DirectorInputBuilder.TimedShot(frame: $0.0, shot: $0.1) })
    #expect(names[0] == [0..<90, 100..<190, 5300..<5390])
    // After a long absence; the shot ends before the three seconds do. Frame 3000 of the output is
    // frame 3300 of the call.
    #expect(names[1] == [0..<90, 200..<260, 3300..<3360, 5300..<5390], "\(names)")
    #expect(names[2] == [0..<90, 5300..<5390])
    #expect(
      call.alone([DirectorInputBuilder.TimedShot(frame: 2990, shot: .one(2))])[2] == [2990..<6000])
  }

  @Test("A call without people has no shots")
  func nothing() {
    #expect(Self.director(0, [[]]).choices().isEmpty)
    #expect(Self.director(1, [[(0, 1)]]).choices().count == 1)
  }
}
