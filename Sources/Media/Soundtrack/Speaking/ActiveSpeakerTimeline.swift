package import TesseraTimeline

/// The active speaker over a whole timeline, determined with hindsight.
///
/// The turns are the best path through all voices by dynamic programming: a voice scores for each
/// step in which it speaks, a change has a cost, and no turn is shorter than ``shortestStay``.
/// While nobody speaks, the last speaker keeps the floor.
package struct ActiveSpeakerTimeline: Hashable, Sendable, Codable {
  /// The analysis of one file of a voice, and its place on the timeline.
  package struct VoiceTrack: Sendable {
    /// The index of the voice; several tracks may belong to one person.
    package var voice: Int
    /// The analysis of the track's file.
    package var analysis: VoiceAnalysis
    /// The position of the file's beginning on the timeline.
    package var start: MediaTime
    /// The interval of the timeline in which the track is heard; `nil` for all of it.
    package var interval: TimeRange?

    /// Creates the track of voice `voice` whose file begins at `start`.
    package init(
      voice: Int, analysis: VoiceAnalysis, start: MediaTime, interval: TimeRange? = nil
    ) {
      (self.voice, self.analysis) = (voice, analysis)
      (self.start, self.interval) = (start, interval)
    }
  }

  /// A stretch in which one voice has the floor.
  package struct Turn: Hashable, Sendable, Codable {
    /// The index of the voice.
    package var voice: Int
    package var interval: TimeRange
  }

  /// The turns in order, from shortly before the first word to the end of the timeline; empty if
  /// nobody speaks.
  package var turns: [Turn]
  /// The times at which each voice speaks, in order, with or without the floor.
  package var speaking: [[TimeRange]]
  /// The times at which each voice speaks, including speech that is too faint to be noticed beside
  /// the others.
  package var said: [[TimeRange]]
  /// The times at which only other voices are heard in each voice.
  package var bleed: [[TimeRange]]

  /// The shortest turn: 1.5 s.
  package static let shortestStay = MediaTime(nanoseconds: 1_500_000_000)
  /// The time by which the floor changes before the new speaker's first word: 250 ms.
  package static let lead = MediaTime(nanoseconds: 250_000_000)
  /// The shortest speech that gets the floor while another person speaks: 0.8 s.
  package static let shortestTurn = MediaTime(nanoseconds: 800_000_000)

  private static let step = MixLoudnessPredictor.step

  /// Finds the turns of `voiceCount` voices on a timeline of `duration`.
  package init(_ tracks: [VoiceTrack], voiceCount: Int, duration: MediaTime) {
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
    let path = SpeakerPathSearch.best(levels, shortestStay: stay)
    let lead = Int(Self.lead.nanoseconds / step)
    var turns: [(voice: Int, start: Int)] = []
    for (voice, start) in path {
      // The path changes anywhere between two words; the floor changes before the new speaker's
      // word.
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
