import TesseraTimeline

/// Moves the ends of clips to pauses between sentences, so that nobody is cut off.
struct ClipEndAdjuster: Sendable {
  /// The pauses in which nobody speaks, in order.
  private let pauses: [TimeRange]
  /// The pauses that end a sentence, as far as that is known.
  private let afterSentences: [TimeRange]
  private let end: MediaTime

  /// The maximum distance by which an end of a clip moves.
  static let reach = MediaTime(nanoseconds: 1_500_000_000)
  /// The minimum silence that counts as a pause, and the minimum that counts as a pause between
  /// sentences if sentence ends are unknown.
  private static let (pause, longPause) = (
    MediaTime(nanoseconds: 200_000_000), MediaTime(nanoseconds: 400_000_000)
  )
  /// The silence that a clip keeps before its first word and after its last word.
  private static let (before, after) = (
    MediaTime(nanoseconds: 200_000_000), MediaTime(nanoseconds: 400_000_000)
  )
  /// The maximum distance between a sentence's end in a transcript and the start of its pause.
  private static let slack = MediaTime(nanoseconds: 600_000_000)

  /// Finds the pauses of a call, and the pauses after sentences among them.
  ///
  /// - Parameters:
  ///   - said: The times at which anyone speaks, in any order.
  ///   - sentences: The times at which sentences end, in order; empty if they are unknown.
  ///   - end: The end of the call.
  init(said: [TimeRange], sentences: [MediaTime], before end: MediaTime) {
    self.end = end
    pauses = KeptRanges(keeping: said).holes(before: end).filter { $0.duration >= Self.pause }
    afterSentences = pauses.filter { pause in
      guard !sentences.isEmpty else { return pause.duration >= Self.longPause }
      let next = sentences.partitioningIndex { $0 >= pause.start - Self.slack }
      return next < sentences.count && sentences[next] <= min(pause.start + Self.slack, pause.end)
    }
  }

  /// Returns the ends of a clip moved to pauses, or `nil` if less than half of the clip would
  /// remain. A `nil` time stands for the start or end of the call.
  func clip(from: MediaTime?, to: MediaTime?) -> (from: MediaTime?, to: MediaTime?)? {
    let (first, last) = (from.map(begin), to.map(self.end))
    let asked = min(to ?? end, end) - (from ?? .zero)
    let left = max(.zero, min(last ?? end, end) - (first ?? .zero))
    return left + left >= asked ? (first, last) : nil
  }

  /// Returns the start of a clip that is requested from `time` on: shortly before someone starts to
  /// speak.
  func begin(_ time: MediaTime) -> MediaTime {
    guard time > .zero else { return time }
    return nearest(to: time) { pause in
      pause.end < end ? max(pause.start, pause.end - Self.before) : pause.start
    }
  }

  /// Returns the end of a clip that is requested up to `time`: shortly after someone stops
  /// speaking.
  func end(_ time: MediaTime) -> MediaTime {
    guard time < end else { return time }
    return nearest(to: time) { min($0.end, $0.start + Self.after) }
  }

  /// Returns `time` if it is in a pause, otherwise the nearest `place` in a pause within ``reach``.
  /// Pauses after sentences take precedence. If only a pause is within reach but not its place, as in
  /// a long silence, the result is as near to the place as ``reach`` permits. Without any pause it is
  /// `time`.
  private func nearest(
    to time: MediaTime, _ place: (TimeRange) -> MediaTime
  ) -> MediaTime {
    let (first, last) = (time - Self.reach, time + Self.reach)
    for pauses in [afterSentences, pauses] {
      var best: MediaTime?
      for pause in pauses where pause.end >= first {
        guard pause.start <= last else { break }
        if pause.start <= time, time <= pause.end { return time }
        let place = place(pause)
        guard first <= place, place <= last else { continue }
        if best.map({ distance(place, time) < distance($0, time) }) ?? true { best = place }
      }
      if let best { return best }
    }
    let near = pauses.filter { first <= $0.end && $0.start <= last }.min {
      max($0.start - time, time - $0.end) < max($1.start - time, time - $1.end)
    }
    return near.map { min(max(first, place($0)), last) } ?? time
  }

  private func distance(_ a: MediaTime, _ b: MediaTime) -> MediaTime { max(a, b) - min(a, b) }
}
