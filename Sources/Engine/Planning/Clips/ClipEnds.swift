import TesseraTimeline

/// Where a clip begins and ends so that nobody is cut off: in pauses between sentences.
struct ClipEnds: Sendable {
  /// Stretches in which nobody says anything, in order.
  private let pauses: [TimeRange]
  /// Those of them that end a sentence, as far as anybody knows.
  private let afterSentences: [TimeRange]
  private let end: MediaTime

  /// How far an end of a clip moves at most.
  static let reach = MediaTime(nanoseconds: 1_500_000_000)
  /// The shortest silence that is a pause, and that is one between sentences where nobody knows
  /// where they end.
  private static let (pause, longPause) = (
    MediaTime(nanoseconds: 200_000_000), MediaTime(nanoseconds: 400_000_000)
  )
  /// What of a pause stays before somebody begins, and after somebody has ended.
  private static let (before, after) = (
    MediaTime(nanoseconds: 200_000_000), MediaTime(nanoseconds: 400_000_000)
  )
  /// How far from a sentence's end in a transcript its pause may begin.
  private static let slack = MediaTime(nanoseconds: 600_000_000)

  /// - Parameters:
  ///   - said: when somebody says anything, in any order.
  ///   - sentences: when sentences end, in order, where that is known.
  ///   - end: the end of the call.
  init(said: [TimeRange], sentences: [MediaTime], before end: MediaTime) {
    self.end = end
    pauses = CutList(keeping: said).holes(before: end).filter { $0.duration >= Self.pause }
    afterSentences = pauses.filter { pause in
      guard !sentences.isEmpty else { return pause.duration >= Self.longPause }
      let next = sentences.partitioningIndex { $0 >= pause.start - Self.slack }
      return next < sentences.count && sentences[next] <= min(pause.start + Self.slack, pause.end)
    }
  }

  /// The ends of a clip from `from` to `to`, or of the call, moved to pauses; `nil` if less than half
  /// of the clip would be left.
  func clip(from: MediaTime?, to: MediaTime?) -> (from: MediaTime?, to: MediaTime?)? {
    let (first, last) = (from.map(begin), to.map(self.end))
    let asked = min(to ?? end, end) - (from ?? .zero)
    let left = max(.zero, min(last ?? end, end) - (first ?? .zero))
    return left + left >= asked ? (first, last) : nil
  }

  /// Where a clip from `time` on begins: shortly before somebody begins to speak.
  func begin(_ time: MediaTime) -> MediaTime {
    guard time > .zero else { return time }
    return nearest(to: time) { pause in
      pause.end < end ? max(pause.start, pause.end - Self.before) : pause.start
    }
  }

  /// Where a clip up to `time` ends: shortly after somebody has ended.
  func end(_ time: MediaTime) -> MediaTime {
    guard time < end else { return time }
    return nearest(to: time) { min($0.end, $0.start + Self.after) }
  }

  /// `time` where it lies in a pause, else the nearest `place` in one within ``reach``; `time` where
  /// there is none.
  private func nearest(
    to time: MediaTime, _ place: (TimeRange) -> MediaTime
  ) -> MediaTime {
    for pauses in [afterSentences, pauses] {
      var best: MediaTime?
      for pause in pauses where pause.end + Self.reach >= time {
        guard pause.start <= time + Self.reach else { break }
        if pause.start <= time, time <= pause.end { return time }
        let place = place(pause)
        guard distance(place, time) <= Self.reach else { continue }
        if best.map({ distance(place, time) < distance($0, time) }) ?? true { best = place }
      }
      if let best { return best }
    }
    return time
  }

  private func distance(_ a: MediaTime, _ b: MediaTime) -> MediaTime { max(a, b) - min(a, b) }
}
