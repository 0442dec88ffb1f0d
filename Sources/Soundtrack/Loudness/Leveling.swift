public import TesseraTimeline

/// Brings voices to one loudness with hindsight: a gain curve for each, made before mixing.
///
/// The loudness of a voice is that of its speech (blocks of 400 ms, gated as in BS.1770), averaged
/// over the seconds of speech before and after, so the gain follows someone who moves away from
/// the microphone and keeps still in pauses. A voice that has said nothing for two seconds is
/// faded out, and faded in again shortly before its next word.
public enum Leveling {
  /// A voice to level.
  public struct Voice: Sendable {
    /// What was found in it.
    public var analysis: VoiceAnalysis
    /// Where the beginning of its file lies on the timeline.
    public var start: MediaTime
    /// When it is heard on the timeline.
    public var interval: TimeInterval
    /// Whether it is someone speaking; other sound (a shared screen's) gets one gain for all of it
    /// and is never faded out.
    public var isSpeech: Bool
    /// Decibels that are added at the end.
    public var gain: Double

    /// A voice whose file begins at `start`.
    public init(
      analysis: VoiceAnalysis, start: MediaTime, interval: TimeInterval, isSpeech: Bool = true,
      gain: Double = 0
    ) {
      (self.analysis, self.start, self.interval) = (analysis, start, interval)
      (self.isSpeech, self.gain) = (isSpeech, gain)
    }

    /// The gain that brings it to `target` LUFS, and what is added to that.
    fileprivate func curve(for target: Double) -> GainCurve {
      SpeechGain(self, target: target).curve + GainCurve(constant: Float(gain))
    }
  }

  /// The most that a voice is turned down and up, in decibels.
  public static let gains = -12.0...24.0
  /// Noise in pauses is not raised above that, in LUFS: white noise of -55 dB relative to full
  /// scale on both sides.
  public static let loudestNoise = -49.5
  /// Decibels a second that the gain moves by at most.
  public static let fastestChange = 3.0

  /// Decibels that all voices are moved by at most: far down where many speak at once.
  private static let moves = -40.0...6.0

  /// The gain curves of `voices` for a mix of `target` LUFS, counted from the beginning of each
  /// voice's file. Where voices overlap, the mix is found by `measure`; without it they are taken
  /// to add up as their powers do.
  public static func curves(
    _ voices: [Voice], target: Double, measure: MixMeasure.Powers? = nil
  ) -> [GainCurve] {
    let curves = voices.map { $0.curve(for: target) }
    var mix = MixLoudness(Array(zip(voices, curves)))
    let ranges = measure == nil ? [] : mix.overlapping
    if !ranges.isEmpty, let powers = measure?(ranges, curves) {
      mix.replace(Array(zip(ranges, powers)))
    }
    guard let loudness = mix.integrated else { return curves }
    let move = min(moves.upperBound, max(moves.lowerBound, target - loudness))
    // Upwards every voice keeps to what it may be raised by; down they go together.
    if move > 0 { return voices.map { $0.curve(for: target + move) } }
    return curves.map { $0 + GainCurve(constant: Float(move)) }
  }

  /// The difference in loudness between the loudest and the quietest voice in LU, and which these
  /// are; nil with fewer than two that are heard.
  public static func difference(
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
