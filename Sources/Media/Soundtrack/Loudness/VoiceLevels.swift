import TesseraTimeline

/// How loud one voice is, for people who judge a recording before it is rendered.
package struct VoiceLevels: Hashable, Sendable, Codable {
  /// The gated loudness of what is said in LUFS; nil where nothing is.
  package var speechLoudness: Double?
  /// The gated loudness of all of it in LUFS; nil where nothing is louder than -70 LUFS.
  package var loudness: Double?
  /// The usual level in the pauses in LUFS; nil where pauses are silent.
  package var noiseFloor: Double?
  /// The largest sample in decibels relative to full scale; nil for silence.
  package var peak: Double?
  /// How many samples, counted in each channel, are clipped.
  package var clippedSamples: Int
  /// How many seconds are spoken.
  package var speechSeconds: Double
  /// The outline: the largest samples, from 0 to 1, of equal parts.
  package var waveform: [Float]

  /// What `analysis` says, with an outline of `columns` parts.
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

  /// A bar of `width` characters from -60 LUFS to 0 LUFS.
  package func bar(width: Int) -> String {
    let level = speechLoudness ?? loudness ?? -60
    let filled = Int(saturating: (Double(width) * min(1, max(0, (level + 60) / 60))).rounded())
    return String(repeating: "█", count: filled)
      + String(repeating: "░", count: max(0, width - filled))
  }
}
