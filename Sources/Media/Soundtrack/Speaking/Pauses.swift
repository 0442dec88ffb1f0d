public import TesseraTimeline

/// How pauses in which nobody speaks are tightened.
public struct TightenSettings: Hashable, Sendable {
  /// Shorter pauses stay as they are.
  public var pause = MediaTime(nanoseconds: 1_000_000_000)
  /// What is left of a longer one.
  public var keep = MediaTime(nanoseconds: 350_000_000)
  /// What is left at the end of a sentence, where a transcript says so, or where another person goes
  /// on.
  public var turn = MediaTime(nanoseconds: 600_000_000)
  /// What is longer is taken for a break, of which a second is left.
  public var long = MediaTime(nanoseconds: 4_000_000_000)

  /// Whether pauses are tightened also while a shared screen moves.
  public var ignoresScreens = false

  /// The usual ones.
  public init() {}
}

/// The pauses of a call that are tightened: stretches in which no voice says anything. What is loud
/// and no speech, such as laughter, counts as said.
package struct Pauses: Sendable {
  /// What is cut of a pause, and why.
  package struct Cut: Hashable, Sendable {
    /// What is cut: the middle of the pause.
    package let interval: TimeRange
    /// What kind of pause it is.
    package let kind: Kind
  }

  /// What kind a pause is.
  package enum Kind: String, Sendable {
    case within = "a pause"
    case between = "a pause between people"
    case sentence = "a pause after a sentence"
    case long = "a long pause"
  }

  /// What is left of a break.
  private static let breath = MediaTime(nanoseconds: 1_000_000_000)

  /// What is cut, in order.
  package let cuts: [Cut]

  /// - Parameters:
  ///   - said: when each voice says anything.
  ///   - heard: when any microphone is recorded: where none is, nobody knows what was said.
  ///   - others: what else is to stay, such as the sound of a shared screen.
  ///   - ends: when sentences end, in order, where that is known.
  ///   - settings: how long pauses are and become.
  package init(
    said: [[TimeRange]], heard: [TimeRange], keeping others: [TimeRange],
    ends: [MediaTime] = [], _ settings: TightenSettings
  ) {
    let stays = CutList(keeping: said.flatMap { $0 } + others)
    var cuts: [Cut] = []
    let silent = CutList(cutting: stays.kept).intersection(CutList(keeping: heard))
    for pause in silent.kept where pause.duration > settings.pause {
      let before = Self.voice(said, at: pause.start) { $0.end }
      let after = Self.voice(said, at: pause.end) { $0.start }
      let isBetween = before != nil && after != nil && before != after
      let end = ends.partitioningIndex { $0 >= pause.start - Self.breath }
      let endsSentence = end < ends.count && ends[end] <= min(pause.start + Self.breath, pause.end)
      let kind: Kind =
        pause.duration > settings.long
        ? .long : isBetween ? .between : endsSentence ? .sentence : .within
      let left: MediaTime =
        switch kind {
        case .long: Self.breath
        case .between, .sentence: settings.turn
        case .within: settings.keep
        }
      // No more than the longest pause that stays.
      let side = MediaTime(
        nanoseconds: min(left, max(settings.pause, settings.keep)).nanoseconds / 2)
      let interval = TimeRange(start: pause.start + side, end: pause.end - side)
      if interval.duration > .zero { cuts.append(Cut(interval: interval, kind: kind)) }
    }
    self.cuts = cuts
  }

  /// The number of the voice that begins or ends at `time`; nil where none does, or several.
  private static func voice(
    _ said: [[TimeRange]], at time: MediaTime, _ edge: (TimeRange) -> MediaTime
  ) -> Int? {
    let found = said.indices.filter { said[$0].contains { edge($0) == time } }
    return found.count == 1 ? found[0] : nil
  }
}
