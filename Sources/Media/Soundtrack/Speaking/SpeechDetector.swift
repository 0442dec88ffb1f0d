/// Finds from the levels of a voice when it speaks.
///
/// A step is speech where it stands out from the noise of the pauses and is not far below what is
/// usual for the loud parts around it. Short pauses between words count as speech.
package enum SpeechDetector {
  /// Seconds before and after by which the usual level is judged.
  private static let reach = 30
  /// Decibels above the noise that speech begins at, and the part of the distance from the noise
  /// to the loud parts where that is more.
  private static let (margin, share) = (8.0, 0.35)
  /// Nothing below that many decibels under the loud parts is speech.
  private static let range = 30.0
  /// Nothing below that is speech, in LUFS.
  private static let quietest = -70.0
  /// Steps: pauses shorter than 300 ms are closed, then what is shorter than 80 ms is dropped.
  private static let (shortestPause, shortestSpeech) = (15, 4)

  /// Whether each step of `analysis` is speech.
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
    let loud = LevelCode.decibels(NoiseFloor.percentile(0.95, of: histogram))
    let floor = LevelCode.decibels(floor)
    let threshold = max(
      floor + max(margin, share * (loud - floor)), loud - range, quietest)
    return LevelCode.code(threshold)
  }

  /// `speech` with short pauses closed and without what is shorter than any word.
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

  /// The stretches in which `flags` are `value`.
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
