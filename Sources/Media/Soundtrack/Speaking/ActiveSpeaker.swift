package import TesseraTimeline

/// The active speaker at each time, solved over the whole timeline with hindsight.
///
/// The turns are the best path through all voices by dynamic programming: a voice earns a point
/// for every step in which it speaks, a change costs some, and nobody holds the floor for less
/// than ``shortestStay``. Where nobody speaks the last speaker stays.
package struct ActiveSpeaker: Hashable, Sendable, Codable {
  /// A voice and its place.
  package struct Track: Sendable {
    /// Whose voice it is; several tracks may be of one person.
    package var voice: Int
    /// What was found in it.
    package var analysis: VoiceAnalysis
    /// Where the beginning of its file lies on the timeline.
    package var start: MediaTime
    /// When it is heard; nil for always.
    package var interval: TimeRange?

    /// The track of voice number `voice` whose file begins at `start`.
    package init(
      voice: Int, analysis: VoiceAnalysis, start: MediaTime, interval: TimeRange? = nil
    ) {
      (self.voice, self.analysis) = (voice, analysis)
      (self.start, self.interval) = (start, interval)
    }
  }

  /// A stretch in which one voice has the floor.
  package struct Turn: Hashable, Sendable, Codable {
    /// Whose.
    package var voice: Int
    /// When.
    package var interval: TimeRange

    /// The turn of voice number `voice` in `interval`.
    package init(voice: Int, interval: TimeRange) {
      (self.voice, self.interval) = (voice, interval)
    }
  }

  /// The person with the floor: from shortly before the first word to the end of the timeline.
  package var turns: [Turn]
  /// When each voice speaks, in order, whoever has the floor.
  package var speaking: [[TimeRange]]
  /// When each voice says anything, also what is too faint to be noticed beside the others.
  package var said: [[TimeRange]]
  /// When nothing but other voices is heard in each.
  package var bleed: [[TimeRange]]

  /// Nobody holds the floor for less: 1.5 s.
  package static let shortestStay = MediaTime(nanoseconds: 1_500_000_000)
  /// The floor changes that long before the new voice begins: 250 ms.
  package static let lead = MediaTime(nanoseconds: 250_000_000)
  /// A person who speaks for less than 0.8 s while another one speaks does not get the floor.
  package static let shortestTurn = MediaTime(nanoseconds: 800_000_000)

  private static let step = 20_000_000 as Int64

  /// Finds the active speaker on a timeline of that duration, of `voiceCount` voices.
  package init(_ tracks: [Track], voiceCount: Int, duration: MediaTime) {
    let count = Int(max(0, duration.nanoseconds) / Self.step)
    var levels = SpeakerLevels(tracks, voiceCount: voiceCount, count: count)
    levels.rejectBleed()
    (said, bleed) = (Self.intervals(levels.speech), Self.intervals(levels.bleed))
    levels.dropFaint()
    speaking = Self.intervals(levels.speech)
    levels.dropInterjections(shorterThan: Int(Self.shortestTurn.nanoseconds / Self.step))
    turns = Self.turns(levels, count: count)
  }

  private static func intervals(_ flags: [[Bool]]) -> [[TimeRange]] {
    flags.map { SpeechDetector.runs(of: true, in: $0).map(interval) }
  }

  private static func interval(_ steps: Range<Int>) -> TimeRange {
    TimeRange(
      start: MediaTime(nanoseconds: Int64(steps.lowerBound) * step),
      end: MediaTime(nanoseconds: Int64(steps.upperBound) * step))
  }

  private static func turns(_ levels: SpeakerLevels, count: Int) -> [Turn] {
    let stay = Int(shortestStay.nanoseconds / step)
    let path = SpeakerPath.best(levels, shortestStay: stay)
    let lead = Int(Self.lead.nanoseconds / step)
    var turns: [(voice: Int, start: Int)] = []
    for (voice, start) in path {
      // The path changes somewhere between two voices; the floor changes before the new one.
      let onset = levels.onset(of: voice, near: start) ?? start
      let earliest = turns.last.map { $0.start + stay } ?? 0
      turns.append((voice, max(earliest, onset - lead)))
    }
    return turns.indices.compactMap { index in
      let end = index + 1 < turns.count ? turns[index + 1].start : count
      guard turns[index].start < end else { return nil }
      return Turn(voice: turns[index].voice, interval: interval(turns[index].start..<end))
    }
  }
}
