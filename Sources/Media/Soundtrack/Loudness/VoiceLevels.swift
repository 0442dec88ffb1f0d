import TesseraTimeline

/// The level statistics of one voice, for people who judge a recording before it is rendered.
package struct VoiceLevels: Hashable, Sendable, Codable {
  /// The gated loudness of the speech in LUFS; `nil` without speech.
  package var speechLoudness: Double?
  /// The gated loudness of all sound in LUFS; `nil` if nothing is louder than -70 LUFS.
  package var loudness: Double?
  /// The median noise floor in LUFS; `nil` if pauses are silent.
  package var noiseFloor: Double?
  /// The largest peak in dBFS; `nil` for silence.
  package var peak: Double?
  /// The number of clipped samples, counted in each channel.
  package var clippedSamples: Int
  package var speechSeconds: Double
  /// The waveform: the peaks of equal parts as amplitudes from 0 to 1.
  package var waveform: [Float]

  /// Summarizes `analysis`, with a waveform of `columns` parts.
  package init(_ analysis: VoiceAnalysis, columns: Int = 60) {
    speechLoudness = SpeechGain.speechLoudness(of: analysis)
    loudness = analysis.loudness
    noiseFloor = analysis.noiseFloorDecibels
    peak = analysis.peakDecibels
    clippedSamples = analysis.clippedSamples
    let steps = SpeechDetector.speech(in: analysis).reduce(0) { $0 + ($1 ? 1 : 0) }
    speechSeconds = Double(steps) / Double(VoiceAnalysis.hopsPerSecond)
    waveform = analysis.waveform(count: columns)
  }

  /// Returns a text bar of `width` characters for the loudness, from -60 LUFS (empty) to 0 LUFS
  /// (full).
  package func bar(width: Int) -> String {
    let level = speechLoudness ?? loudness ?? -60
    let filled = Int(saturating: (Double(width) * min(1, max(0, (level + 60) / 60))).rounded())
    return String(repeating: "█", count: filled)
      + String(repeating: "░", count: max(0, width - filled))
  }
}
