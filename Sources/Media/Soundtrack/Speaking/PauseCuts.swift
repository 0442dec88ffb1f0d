public import TesseraTimeline

/// Settings for shortening pauses in which nobody speaks.
public struct TightenSettings: Hashable, Sendable {
  /// The longest pause that is not shortened (default: 1 s).
  public var pause = MediaTime(nanoseconds: 1_000_000_000)
  /// The duration to which longer pauses are shortened (default: 0.35 s).
  public var keep = MediaTime(nanoseconds: 350_000_000)
  /// The duration of a shortened pause at the end of a sentence (known from a transcript) or
  /// between different people (default: 0.6 s).
  public var turn = MediaTime(nanoseconds: 600_000_000)
  /// The longest pause that does not count as a break; a break is shortened to a second (default:
  /// 4 s).
  public var long = MediaTime(nanoseconds: 4_000_000_000)

  /// True if pauses are shortened even while a shared screen is changing (default: false).
  public var ignoresScreens = false

  /// Creates the default settings.
  public init() {}
}

/// The pauses of a call that are shortened: stretches in which no voice speaks. Loud sound other
/// than speech, such as laughter, counts as speech.
package struct PauseCuts: Sendable {
  /// A part of a pause that is cut out, and the pause's kind.
  package struct Cut: Hashable, Sendable {
    /// The interval that is cut: the middle of the pause.
    package let interval: TimeRange
    package let kind: Kind
  }

  /// The kind of a pause, with the text for reports.
  package enum Kind: String, Sendable {
    case within = "a pause"
    case between = "a pause between people"
    case sentence = "a pause after a sentence"
    case long = "a long pause"
  }

  /// The duration to which a break is shortened.
  private static let breath = MediaTime(nanoseconds: 1_000_000_000)

  /// The cuts, in order.
  package let cuts: [Cut]

  /// Finds the cuts.
  ///
  /// - Parameters:
  ///   - said: The times at which each voice speaks.
  ///   - heard: The times at which any microphone is recorded. Outside of them, it is unknown
  ///     whether anyone spoke.
  ///   - others: Further times that are kept, such as the sound of a shared screen.
  ///   - ends: The ends of sentences, in order, if known.
  ///   - settings: The durations of pauses.
  package init(
    said: [[TimeRange]], heard: [TimeRange], keeping others: [TimeRange],
    ends: [MediaTime] = [], _ settings: TightenSettings
  ) {
    let stays = KeptRanges(keeping: said.flatMap { $0 } + others)
    var cuts: [Cut] = []
    let silent = KeptRanges(cutting: stays.kept).intersection(KeptRanges(keeping: heard))
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
      // The remainder is at most the longest pause that is not shortened.
      let side = MediaTime(
        nanoseconds: min(left, max(settings.pause, settings.keep)).nanoseconds / 2)
      let interval = TimeRange(start: pause.start + side, end: pause.end - side)
      if interval.duration > .zero { cuts.append(Cut(interval: interval, kind: kind)) }
    }
    self.cuts = cuts
  }

  /// Returns the index of the only voice whose edge is at `time`; `nil` if there is none or
  /// several.
  private static func voice(
    _ said: [[TimeRange]], at time: MediaTime, _ edge: (TimeRange) -> MediaTime
  ) -> Int? {
    let found = said.indices.filter { said[$0].contains { edge($0) == time } }
    return found.count == 1 ? found[0] : nil
  }
}
