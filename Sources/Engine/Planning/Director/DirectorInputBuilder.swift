import TesseraCaptions
import TesseraLayout
import TesseraPlan
import TesseraRecordings
import TesseraTimeline

/// Prepares a call for ``ShotDirector``: converts seats, speech, words and screen motion to steps
/// of the output, and the chosen shots back to frames.
struct DirectorInputBuilder {
  let layout: CutsLayout
  let seats: [ScenePlanner.Seat]
  let speech: ActiveSpeakerPlanner.Speech
  /// The times at which a shared screen moves.
  let moving: [TimeRange]
  let lines: [Plan.TranscriptLine]
  let cut: FrameSelection
  let rate: FrameRate

  /// The minimum duration of a turn. Shorter utterances are back-channels during another person's
  /// turn.
  private static let shortestTurn = MediaTime(nanoseconds: 700_000_000)
  /// The maximum pause within a turn.
  private static let breath = MediaTime(nanoseconds: 600_000_000)
  /// The number of simultaneous voices, and their minimum duration, that count as laughter.
  private static let several = 3
  private static let shortestLaughter = MediaTime(nanoseconds: 800_000_000)
  /// The time by which a cut precedes the voice.
  private static let lead = MediaTime(nanoseconds: 250_000_000)
  /// The time after a screen's last change during which it counts as changing.
  private static let lately = MediaTime(seconds: 5)

  /// A shot and the output frame at which it starts.
  struct TimedShot: Hashable {
    var frame: Int
    var shot: DirectorShot
  }

  /// Returns the shots of the output: the `given` marks if there are any, otherwise the shots found
  /// by the director.
  func shots(_ given: [ShotStart]) -> [TimedShot] {
    guard !given.isEmpty else { return found() }
    var placed: [TimedShot] = []
    for mark in given {
      let frame = cut.output(from: rate.firstFrame(showing: mark.time))
      guard frame < cut.count else { break }
      let shot = shot(mark.content, in: cut[frame])
      if placed.last?.frame == frame { placed.removeLast() }
      if placed.last?.shot != shot { placed.append(TimedShot(frame: frame, shot: shot)) }
    }
    if placed.first?.frame != 0 { placed.insert(TimedShot(frame: 0, shot: .everybody), at: 0) }
    return placed
  }

  /// Returns the shot that a mark asks for, or a shot of everybody if its participant or screen
  /// does not exist.
  private func shot(_ content: ShotStart.Subject, in frame: Int) -> DirectorShot {
    func item(_ id: String, _ kind: TileTimeline.Kind) -> LayoutItem.ID? {
      let own = seats.map(\.slot).filter { $0.participant?.rawValue == id && $0.kind == kind }
      return (own.first { $0.presence.contains { $0.contains(frame) } } ?? own.first)?.id
    }
    switch content {
    case .person(let id): return item(id, .camera).map { .one($0) } ?? .everybody
    case .people(let first, let second):
      guard let first = item(first, .camera), let second = item(second, .camera) else {
        return .everybody
      }
      return .two(first, second)
    case .everybody: return .everybody
    case .screen(let id, let withSpeaker):
      return item(id, .screen).map { withSpeaker ? .screenWithSpeaker($0) : .one($0) }
        ?? .everybody
    }
  }

  /// Returns the shots in the form that a plan stores.
  func planned(_ shots: [TimedShot]) -> [Plan.Shot] {
    let slots = Dictionary(
      seats.map { ($0.slot.id, $0.slot) }, uniquingKeysWith: { first, _ in first })
    return shots.compactMap { placed in
      let time = rate.time(ofFrame: cut[placed.frame])
      switch placed.shot {
      case .everybody: return Plan.Shot(time, .everybody)
      case .two(let first, let second):
        let owners = [first, second].compactMap { slots[$0]?.participant }
        return Plan.Shot(time, .people(owners))
      case .one(let id), .screenWithSpeaker(let id):
        guard let slot = slots[id], let owner = slot.participant else { return nil }
        let isCornered = placed.shot == .screenWithSpeaker(id)
        return Plan.Shot(
          time,
          slot.kind == .screen ? .screen(owner, withSpeaker: isCornered) : .people([owner]))
      }
    }
  }

  // MARK: Names

  /// The time for which a name is shown, and the absence after which it is shown again.
  private static let (named, away) = (MediaTime(seconds: 3), MediaTime(seconds: 60))

  /// Returns the frames of the call in which each person's name is shown.
  ///
  /// A name is shown at the start of a person's first shot alone or with one other, at the start of
  /// such a shot after a long absence, and at the start of each shot of everybody.
  func names(_ shots: [TimedShot]) -> [LayoutItem.ID: [Range<Int>]] {
    let (long, absence) = (
      rate.firstFrame(showing: Self.named), rate.firstFrame(showing: Self.away)
    )
    var names: [LayoutItem.ID: [Range<Int>]] = [:]
    // For each person, the end of the last shot, and whether there was a shot of one or two people.
    var (seen, isKnown) = ([LayoutItem.ID: Int](), Set<LayoutItem.ID>())
    for (number, placed) in shots.enumerated() {
      let end = number + 1 < shots.count ? shots[number + 1].frame : cut.count
      let isOfFew: Bool
      let people: [LayoutItem.ID]
      switch placed.shot {
      case .one(let id): (people, isOfFew) = ([id], true)
      case .two(let first, let second): (people, isOfFew) = ([first, second], true)
      case .everybody:
        isOfFew = false
        people = seats.map(\.slot).filter { slot in
          slot.presence.contains { $0.contains(cut[placed.frame]) }
        }.map(\.id)
      case .screenWithSpeaker: continue
      }
      for id in people {
        let isNew = isOfFew && isKnown.insert(id).inserted
        if isNew || !isOfFew || seen[id].map({ placed.frame - $0 >= absence }) ?? true {
          let last = min(placed.frame + long, end, cut.count)
          if last > placed.frame {
            names[id, default: []].append(cut[placed.frame]..<cut[last - 1] + 1)
          }
        }
        seen[id] = end
      }
    }
    return names
  }

  /// Returns the frames of the call in which each person fills the canvas.
  func alone(_ shots: [TimedShot]) -> [LayoutItem.ID: [Range<Int>]] {
    var alone: [LayoutItem.ID: [Range<Int>]] = [:]
    for (number, placed) in shots.enumerated() {
      guard case .one(let id) = placed.shot else { continue }
      let end = number + 1 < shots.count ? shots[number + 1].frame : cut.count
      alone[id, default: []].append(cut[placed.frame]..<cut[end - 1] + 1)
    }
    return alone
  }

  // MARK: Finding shots

  /// Returns the sequence of shots with the lowest cost.
  private func found() -> [TimedShot] {
    let end = rate.time(ofFrame: cut.count)
    let count = Int(end.nanoseconds / ShotDirector.step.nanoseconds) + 1
    let voiced = speech.speaking.mapValues(Self.joined)
    let spoken = voiced.mapValues { $0.filter { $0.duration >= Self.shortestTurn } }
    var (people, screens) = ([ShotDirector.Person](), [ShotDirector.Screen]())
    for seat in seats {
      let there = seat.slot.presence.flatMap(steps(ofFrames:))
      switch seat.slot.kind {
      case .screen: screens.append(ShotDirector.Screen(item: seat.slot.id, there: there))
      case .camera:
        let said = seat.slot.participant.flatMap { spoken[$0] } ?? []
        people.append(
          ShotDirector.Person(
            item: seat.slot.id, there: there, seen: seen(seat.slot).flatMap(steps(ofFrames:)),
            speaks: said.flatMap {
              steps(TimeRange(start: max(.zero, $0.start - Self.lead), end: $0.end))
            }))
      case .overflow: break
      }
    }
    let changed = moving.flatMap {
      steps(TimeRange(start: $0.start, end: $0.end + Self.lately))
    }
    let words = lines.flatMap(\.words).filter { !$0.isStruck }.flatMap {
      steps(TimeRange(start: $0.from, end: $0.to))
    }
    let splices = Set(
      cut.ranges.dropFirst().map { step(ofOutput: cut.output(from: $0.lowerBound)) })
    let choices = ShotDirector(
      count: count, people: people, screens: screens, changed: changed,
      laughter: Self.laughter(voiced.values).flatMap(steps), words: words,
      splices: splices, costs: layout.costs
    ).choices()
    // Participants join and leave at frames, not steps, so a cut near such a frame moves to it.
    let edges = seats.flatMap { seat in
      seat.slot.presence.flatMap { [$0.lowerBound, $0.upperBound] }
    }.map(cut.output(from:)).sorted()
    let near = rate.frameCount(of: ShotDirector.step) + 1
    var known: Set<Int> = []
    return choices.compactMap { choice in
      let time = MediaTime(nanoseconds: Int64(choice.step) *| ShotDirector.step.nanoseconds)
      var output = choice.step == 0 ? 0 : rate.firstFrame(showing: time)
      let edge = edges.filter { abs($0 - output) <= near }.min {
        abs($0 - output) < abs($1 - output)
      }
      if choice.step > 0, let edge { output = edge }
      guard output < cut.count else { return nil }
      return known.insert(output).inserted ? TimedShot(frame: output, shot: choice.shot) : nil
    }
  }

  /// Returns the times at which three or more voices are heard at once for a while. These are
  /// seldom words and mostly laughter.
  static func laughter(_ voices: some Sequence<[TimeRange]>) -> [TimeRange] {
    let edges = voices.joined().flatMap { [($0.start, 1), ($0.end, -1)] }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    var (count, start, found) = (0, MediaTime.zero, [TimeRange]())
    for (time, change) in edges {
      if count == several, change < 0, time - start >= shortestLaughter {
        found.append(TimeRange(start: start, end: time))
      }
      if count == several - 1, change > 0 { start = time }
      count += change
    }
    return found
  }

  /// Returns ranges of speech with the short pauses between words closed.
  private static func joined(_ ranges: [TimeRange]) -> [TimeRange] {
    var joined: [TimeRange] = []
    for range in ranges.sorted(by: { $0.start < $1.start }) {
      if let last = joined.last, range.start - last.end <= breath {
        joined[joined.count - 1].end = max(last.end, range.end)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  /// Returns the frames in which a slot has a picture.
  private func seen(_ slot: TileTimeline) -> [Range<Int>] {
    let changes = slot.contents.all
    return changes.indices.compactMap { index in
      let end = index + 1 < changes.count ? changes[index + 1].frame : Int.max
      return changes[index].value.isPicture
        ? changes[index].frame..<max(changes[index].frame, end) : nil
    }
  }

  private func step(ofOutput frame: Int) -> Int {
    Int(rate.time(ofFrame: frame).nanoseconds / ShotDirector.step.nanoseconds)
  }

  private func steps(ofFrames frames: Range<Int>) -> [Range<Int>] {
    let output = cut.output(of: frames)
    let (first, end) = (step(ofOutput: output.lowerBound), step(ofOutput: output.upperBound) + 1)
    return output.isEmpty ? [] : [first..<end]
  }

  private func steps(_ time: TimeRange) -> [Range<Int>] {
    let frames =
      rate.firstFrame(
        showing: time.start)..<max(
        rate.firstFrame(showing: time.start), rate.firstFrame(showing: time.end))
    return steps(ofFrames: frames)
  }
}
