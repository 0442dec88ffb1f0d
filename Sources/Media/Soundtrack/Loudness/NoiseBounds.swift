/// How far a voice may be raised without its noise being heard.
struct NoiseBounds {
  private let floors: [UInt8]
  private let target: Double

  /// The bounds of a voice that is brought to `target` LUFS.
  init(_ analysis: VoiceAnalysis, target: Double) {
    (floors, self.target) = (analysis.noiseFloors, target)
  }

  /// The most that the gain may be in a pause, at step `step`, in decibels.
  func inPauses(_ step: Int) -> Double { max(0, Leveling.loudestNoise - floor(step)) }

  /// The most that it may be under words, which hide noise.
  func underWords(_ step: Int) -> Double {
    max(inPauses(step), target - Leveling.noiseDistance - floor(step))
  }

  private func floor(_ step: Int) -> Double {
    let second = min(max(0, step / VoiceAnalysis.hopsPerSecond), floors.count - 1)
    return floors.isEmpty ? LevelCode.decibels(0) : LevelCode.decibels(floors[second])
  }
}
