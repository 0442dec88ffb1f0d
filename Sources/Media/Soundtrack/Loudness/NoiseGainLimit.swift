/// The limits to which a voice may be raised without making its noise audible.
struct NoiseGainLimit {
  /// The noise floor around each second, as level codes.
  private let floors: [UInt8]
  private let target: Double

  /// Creates the limits of a voice that is brought to `target` LUFS.
  init(_ analysis: VoiceAnalysis, target: Double) {
    (floors, self.target) = (analysis.noiseFloors, target)
  }

  /// Returns the largest gain at step `step` in a pause, in decibels.
  func inPauses(_ step: Int) -> Double { max(0, VoiceLeveler.loudestNoise - floor(step)) }

  /// Returns the largest gain at step `step` under words, in decibels. Words mask more noise than
  /// pauses.
  func underWords(_ step: Int) -> Double {
    max(inPauses(step), target - VoiceLeveler.noiseDistance - floor(step))
  }

  /// Returns the noise floor at step `step` in LUFS.
  private func floor(_ step: Int) -> Double {
    let second = min(max(0, step / VoiceAnalysis.hopsPerSecond), floors.count - 1)
    return floors.isEmpty ? LevelByteCoding.decibels(0) : LevelByteCoding.decibels(floors[second])
  }
}
