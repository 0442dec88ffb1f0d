package import TesseraTimeline

/// Brings voices to one loudness with hindsight: a gain curve for each, made before mixing.
///
/// The loudness of a voice is that of its speech (blocks of 400 ms, gated as in BS.1770), averaged
/// over the seconds of speech before and after, so the gain follows someone who moves away from
/// the microphone and keeps still in pauses. A voice that has said nothing for two seconds, or in
/// which only others are heard, is faded out, and faded in again shortly before its next word.
/// Where words are raised far above their noise, the gain falls in the pauses between them.
package enum Leveling {
  /// A voice to level.
  package struct Voice: Sendable {
    /// What was found in it.
    package var analysis: VoiceAnalysis
    /// Where the beginning of its file lies on the timeline.
    package var start: MediaTime
    /// When it is heard on the timeline.
    package var interval: TimeRange
    /// Whether it is someone speaking; other sound (a shared screen's) gets one gain for all of it
    /// and is never faded out.
    package var isSpeech: Bool
    /// Decibels that are added at the end.
    package var gain: Double
    /// When its person speaks, on the timeline; nil where that is as it sounds.
    package var said: [TimeRange]?
    /// When only others are heard in it, on the timeline.
    package var bleed: [TimeRange] = []

    /// A voice whose file begins at `start`.
    package init(
      analysis: VoiceAnalysis, start: MediaTime, interval: TimeRange, isSpeech: Bool = true,
      gain: Double = 0
    ) {
      (self.analysis, self.start, self.interval) = (analysis, start, interval)
      (self.isSpeech, self.gain) = (isSpeech, gain)
    }
  }

  /// What came of it.
  package struct Result: Sendable {
    /// How loud each voice is, counted from the beginning of its file.
    package var curves: [GainCurve]
    /// The loudness that the mix comes to, in LUFS; nil where nothing is heard.
    package var loudness: Double?
    /// What keeps each voice from the level of the others; nil where it has it.
    package var limits: [Limit?]
  }

  /// Why a voice is not as loud as the others.
  package struct Limit: Hashable, Sendable {
    /// By how many LU it is louder; below 0 where it is quieter.
    package var distance: Double
    /// Whether its noise would be heard if it were raised more; it is at the end of ``gains`` else.
    package var isNoise: Bool
  }

  /// The most that a voice is turned down and up, in decibels.
  package static let gains = -12.0...24.0
  /// Noise in pauses is not raised above that, in LUFS: white noise of -55 dB relative to full
  /// scale on both sides.
  package static let loudestNoise = -49.5
  /// Under words noise stays that many decibels below the target.
  package static let noiseDistance = 15.0
  /// Decibels a second that the gain moves by at most.
  package static let fastestChange = 3.0
  /// A voice that is off by less LU is as loud as the others.
  package static let tolerance = 3.0

  /// Decibels that all voices are moved by at most: far down where many speak at once.
  private static let moves = -40.0...6.0
  /// A mix that is nearer to the target, in LU, is there; it is hardly ever after more rounds.
  private static let (nearest, rounds) = (0.1, 5)

  /// Brings `voices` to one level in a mix of `target` LUFS, of which only what lies in `shown` of
  /// the timeline is heard. Where voices overlap, the mix is found by `measure`; without it they
  /// are taken to add up as their powers do.
  package static func level(
    _ voices: [Voice], target: Double, shown: TimeRange? = nil,
    measure: MixMeasure.Powers? = nil
  ) -> Result {
    let base = voices.map { SpeechGain($0, target: target) }
    var (gains, move) = (base, 0.0)
    var result = Result(curves: curves(voices, gains, move: 0), limits: [])
    var mix = MixLoudness(Array(zip(voices, result.curves)), shown: shown)
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
      // Upwards every voice keeps to what it may be raised by; down they go together.
      gains = move > 0 ? voices.map { SpeechGain($0, target: target + move) } : base
      result.curves = curves(voices, gains, move: min(0, move))
      mix.take(Array(zip(voices, result.curves)))
      result.loudness = mix.integrated
    }
    result.limits = gains.map { $0.limit(for: target + max(0, move)) }
    return result
  }

  /// The curves with what is added to them at the end.
  private static func curves(
    _ voices: [Voice], _ gains: [SpeechGain], move: Double
  ) -> [GainCurve] {
    zip(voices, gains).map { $1.curve + GainCurve(constant: Float($0.gain + move)) }
  }

  /// The difference in loudness between the loudest and the quietest voice in LU, and which these
  /// are; nil with fewer than two that are heard.
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
