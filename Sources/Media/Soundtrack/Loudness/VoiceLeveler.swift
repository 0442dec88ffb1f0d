package import TesseraTimeline

/// Brings voices to one loudness, with a gain curve for each voice that is computed before mixing.
///
/// The loudness of a voice is that of its speech (blocks of 400 ms, gated as in BS.1770), averaged
/// over the seconds of speech before and after. So the gain follows a speaker who moves away from
/// the microphone and is steady in pauses. After two seconds without words, or if only others are
/// heard in it, a voice is faded out; it is faded in again shortly before its next word. Where
/// words are raised far above their noise, the gain falls in the pauses between them.
package enum VoiceLeveler {
  /// A voice to be leveled.
  package struct Voice: Sendable {
    /// The analysis of the voice's file.
    package var analysis: VoiceAnalysis
    /// The place of the file's beginning on the timeline.
    package var start: MediaTime
    /// The interval of the timeline in which the voice is heard.
    package var interval: TimeRange
    /// True if the voice is a person speaking. Other sound, such as a shared screen's, gets one
    /// constant gain and is never faded out.
    package var isSpeech: Bool
    /// A gain in decibels that is added to the result.
    package var gain: Double
    /// The times on the timeline at which the voice's person speaks; `nil` to detect them from the
    /// sound.
    package var said: [TimeRange]?
    /// The times on the timeline at which only other people are heard in the voice.
    package var bleed: [TimeRange] = []

    /// Creates a voice whose file begins at `start` on the timeline.
    package init(
      analysis: VoiceAnalysis, start: MediaTime, interval: TimeRange, isSpeech: Bool = true,
      gain: Double = 0
    ) {
      (self.analysis, self.start, self.interval) = (analysis, start, interval)
      (self.isSpeech, self.gain) = (isSpeech, gain)
    }
  }

  /// The result of leveling.
  package struct Result: Sendable {
    /// The gain curve of each voice, from the beginning of its file.
    package var curves: [GainCurve]
    /// The loudness of the resulting mix in LUFS; `nil` if it is silent.
    package var loudness: Double?
    /// The reason why a voice does not reach the target, for each voice; `nil` if it does.
    package var limits: [LimitReason?]
  }

  /// The reason why a voice is louder or quieter than the others.
  package struct LimitReason: Hashable, Sendable {
    /// The difference from the target in LU: positive if the voice is louder.
    package var distance: Double
    /// True if more gain would make the voice's noise audible; false if the gain is at the limit of
    /// ``gains``.
    package var isNoise: Bool
  }

  /// The range of a voice's gain, in decibels.
  package static let gains = -12.0...24.0
  /// The loudest level to which noise in pauses is raised, in LUFS: white noise of -55 dBFS on both
  /// channels.
  package static let loudestNoise = -49.5
  /// The distance of noise under words below the target, in decibels.
  package static let noiseDistance = 15.0
  /// The fastest change of the gain, in decibels per second.
  package static let fastestChange = 3.0
  /// The deviation from the target up to which a voice counts as leveled, in LU.
  package static let tolerance = 3.0

  /// The range of the common gain of all voices, in decibels: far down if many people speak at
  /// once.
  private static let moves = -40.0...6.0
  /// The deviation of the mix from the target that is accepted, in LU, and the number of rounds to
  /// reach it. More rounds hardly ever help.
  private static let (nearest, rounds) = (0.1, 5)

  /// Levels `voices` for a mix of `target` LUFS, of which only the interval `shown` of the timeline
  /// counts (all if `nil`).
  ///
  /// If voices overlap, `measure` returns the power of the mix. Without it, voices are assumed
  /// to be uncorrelated, and their powers add up.
  package static func level(
    _ voices: [Voice], target: Double, shown: TimeRange? = nil,
    measure: MixPowerMeter.Powers? = nil
  ) -> Result {
    let base = voices.map { SpeechGain($0, target: target) }
    var (gains, move) = (base, 0.0)
    var result = Result(curves: curves(voices, gains, move: 0), limits: [])
    var mix = MixLoudnessPredictor(Array(zip(voices, result.curves)), shown: shown)
    let ranges = measure == nil ? [] : mix.overlapping
    if !ranges.isEmpty, let powers = measure?(ranges, result.curves) {
      mix.correct(Array(zip(ranges, powers)))
    }
    result.loudness = mix.integrated
    for _ in 0..<rounds {
      guard let loudness = result.loudness, abs(target - loudness) > nearest else { break }
      let next = min(moves.upperBound, max(moves.lowerBound, move + target - loudness))
      guard abs(next - move) > nearest / 2 else { break }
      move = next
      // A higher target respects each voice's limits; a lower one moves all voices together.
      gains = move > 0 ? voices.map { SpeechGain($0, target: target + move) } : base
      result.curves = curves(voices, gains, move: min(0, move))
      mix.take(Array(zip(voices, result.curves)))
      result.loudness = mix.integrated
    }
    result.limits = gains.map { $0.limit(for: target + max(0, move)) }
    return result
  }

  /// Returns the gain curves including each voice's own gain and the common gain `move`.
  private static func curves(
    _ voices: [Voice], _ gains: [SpeechGain], move: Double
  ) -> [GainCurve] {
    zip(voices, gains).map { $1.curve + GainCurve(constant: Float($0.gain + move)) }
  }

  /// Returns the loudness difference in LU between the loudest and the quietest voice, with their
  /// indices; `nil` if fewer than two voices speak.
  package static func difference(
    _ analyses: [VoiceAnalysis]
  ) -> (difference: Double, quietest: Int, loudest: Int)? {
    let heard = analyses.indices.compactMap { index in
      SpeechGain.speechLoudness(of: analyses[index]).map { (index: index, loudness: $0) }
    }
    guard heard.count > 1, let low = heard.min(by: { $0.loudness < $1.loudness }),
      let high = heard.max(by: { $0.loudness < $1.loudness })
    else { return nil }
    return (high.loudness - low.loudness, low.index, high.index)
  }
}
