import TesseraCaptions
import TesseraLayout
import TesseraPlan
import TesseraTimeline

/// A call as the director sees it, by the output's time.
struct DirectedCall {
  let layout: CutsLayout
  let seats: [ScenePlanner.Seat]
  let speech: SpeakerPlanner.Speech
  /// When a shared screen moves.
  let moving: [TimeRange]
  let lines: [Plan.Line]
  let cut: FrameCut
  let rate: FrameRate

  /// A shorter utterance is a back-channel in another's turn.
  private static let shortestTurn = MediaTime(nanoseconds: 700_000_000)
  /// A shorter pause belongs to the turn.
  private static let breath = MediaTime(nanoseconds: 600_000_000)
  /// How long before a voice a cut comes.
  private static let lead = MediaTime(nanoseconds: 250_000_000)
  /// For how long a screen has changed lately.
  private static let lately = MediaTime(seconds: 5)

  /// The layouts from frames of the call on: a shot each.
  func layouts() -> [(frame: Int, layout: any LayoutPolicy)] {
    let end = rate.time(ofFrame: cut.count)
    let count = Int(end.nanoseconds / Director.step.nanoseconds) + 1
    let spoken = speech.speaking.mapValues { ranges in
      Self.joined(ranges).filter { $0.duration >= Self.shortestTurn }
    }
    var (people, screens) = ([Director.Person](), [Director.Screen]())
    for seat in seats {
      let there = seat.slot.presence.flatMap(steps(ofFrames:))
      switch seat.slot.kind {
      case .screen: screens.append(Director.Screen(item: seat.slot.id, there: there))
      case .camera:
        let said = seat.slot.participant.flatMap { spoken[$0] } ?? []
        people.append(
          Director.Person(
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
    let choices = Director(
      count: count, people: people, screens: screens, changed: changed, words: words,
      splices: splices, costs: layout.costs
    ).choices()
    // People come and go in frames, not in steps.
    let edges = seats.flatMap { seat in
      seat.slot.presence.flatMap { [$0.lowerBound, $0.upperBound] }
    }.map(cut.output(from:)).sorted()
    let near = rate.frameCount(of: Director.step) + 1
    var known: Set<Int> = []
    return choices.compactMap { choice in
      let time = MediaTime(nanoseconds: Int64(choice.step) *| Director.step.nanoseconds)
      var output = choice.step == 0 ? 0 : rate.firstFrame(showing: time)
      let edge = edges.filter { abs($0 - output) <= near }.min {
        abs($0 - output) < abs($1 - output)
      }
      if choice.step > 0, let edge { output = edge }
      guard output < cut.count else { return nil }
      let frame = choice.step == 0 ? 0 : cut[output]
      return known.insert(frame).inserted ? (frame, ShotLayout(shot: choice.shot)) : nil
    }
  }

  /// Speech with the pauses between its words.
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

  /// When a slot has a picture.
  private func seen(_ slot: Slot) -> [Range<Int>] {
    let changes = slot.contents.all
    return changes.indices.compactMap { index in
      let end = index + 1 < changes.count ? changes[index + 1].frame : Int.max
      switch changes[index].value {
      case .track, .still: return changes[index].frame..<max(changes[index].frame, end)
      case .nothing, .card: return nil
      }
    }
  }

  private func step(ofOutput frame: Int) -> Int {
    Int(rate.time(ofFrame: frame).nanoseconds / Director.step.nanoseconds)
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
