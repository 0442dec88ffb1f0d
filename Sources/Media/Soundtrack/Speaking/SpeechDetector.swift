/// Detects speech from the levels of a voice.
///
/// A step is speech if it exceeds the noise of the pauses and is not far below the usual level of
/// the loud parts around it. Short pauses between words count as speech.
package enum SpeechDetector {
  /// The number of seconds before and after that determine the usual level.
  private static let reach = 30
  /// The threshold of speech above the noise: at least this many decibels, and at least this share
  /// of the distance from the noise to the loud parts.
  private static let (margin, share) = (8.0, 0.35)
  /// The range of speech below the loud parts, in decibels.
  private static let range = 30.0
  /// The lowest level of speech, in LUFS.
  private static let quietest = -70.0
  /// The durations in steps for smoothing: shorter pauses (300 ms) are closed, then shorter speech
  /// (80 ms) is dropped.
  private static let (shortestPause, shortestSpeech) = (15, 4)

  /// Returns, for each step of `analysis`, true if it is speech.
  package static func speech(in analysis: VoiceAnalysis) -> [Bool] {
    let rate = VoiceAnalysis.hopsPerSecond
    let levels = analysis.levels
    var speech = [Bool](repeating: false, count: levels.count)
    var histogram = [Int](repeating: 0, count: 256)
    var counted = 0..<0
    for second in analysis.noiseFloors.indices {
      let wanted = max(0, second - reach) * rate..<min(levels.count, (second + reach + 1) * rate)
      for index in counted.upperBound..<wanted.upperBound { histogram[Int(levels[index])] += 1 }
      for index in counted.lowerBound..<wanted.lowerBound { histogram[Int(levels[index])] -= 1 }
      counted = wanted
      let threshold = threshold(histogram, floor: analysis.noiseFloors[second])
      for index in second * rate..<min(levels.count, (second + 1) * rate) {
        speech[index] = levels[index] > threshold
      }
    }
    return smoothed(speech)
  }

  private static func threshold(_ histogram: [Int], floor: UInt8) -> UInt8 {
    let loud = LevelByteCoding.decibels(NoiseFloorTracker.percentile(0.95, of: histogram))
    let floor = LevelByteCoding.decibels(floor)
    let threshold = max(
      floor + max(margin, share * (loud - floor)), loud - range, quietest)
    return LevelByteCoding.code(threshold)
  }

  /// Returns `speech` with short pauses closed and with speech shorter than any word removed.
  static func smoothed(_ speech: [Bool]) -> [Bool] {
    var result = speech
    for run in runs(of: false, in: result)
    where run.count < shortestPause && run.lowerBound > 0 && run.upperBound < speech.count {
      for index in run { result[index] = true }
    }
    for run in runs(of: true, in: result) where run.count < shortestSpeech {
      for index in run { result[index] = false }
    }
    return result
  }

  /// Returns the stretches in which `flags` equal `value`.
  package static func runs(of value: Bool, in flags: [Bool]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for index in flags.indices {
      if flags[index] == value {
        if start == nil { start = index }
      } else if let first = start {
        runs.append(first..<index)
        start = nil
      }
    }
    if let first = start { runs.append(first..<flags.count) }
    return runs
  }
}
