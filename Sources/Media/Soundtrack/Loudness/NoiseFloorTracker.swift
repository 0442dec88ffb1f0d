import TesseraTimeline

/// Tracks the noise floor: the level of a voice's pauses.
enum NoiseFloorTracker {
  /// The number of seconds before and after each second that are considered.
  private static let reach = 15
  /// The share of steps that counts as pause, and the smaller share for a voice without pauses.
  private static let (quietPart, quietestPart) = (0.1, 0.01)
  /// Level differences in codes (half decibels): the range within which pauses vary, and the
  /// largest distance of noise below the quiet parts of speech.
  private static let (pauseRange, speechRange) = (6, 40)

  /// The largest variation of noise, in decibels.
  private static let steadiness = 9.0

  /// Returns the noise floor around each second of levels as in ``VoiceAnalysis/levels``: the first
  /// decile of the steps around it that are not silent.
  ///
  /// The floor is 0 if pauses are silent: the remaining sound is then nearly all speech and varies
  /// more than noise. Continuous speech has a decile of soft sounds, which vary; the very quietest
  /// steps then give the floor.
  static func track(_ levels: [UInt8]) -> [UInt8] {
    let rate = VoiceAnalysis.hopsPerSecond
    let count = (levels.count + rate - 1) / rate
    var histogram = [Int](repeating: 0, count: 256)
    var counted = 0..<0
    return (0..<count).map { second in
      let wanted = max(0, second - reach) * rate..<min(levels.count, (second + reach + 1) * rate)
      for index in counted.upperBound..<wanted.upperBound { histogram[Int(levels[index])] += 1 }
      for index in counted.lowerBound..<wanted.lowerBound { histogram[Int(levels[index])] -= 1 }
      counted = wanted
      let quiet = Int(percentile(quietPart, of: histogram))
      let quietest = Int(percentile(quietestPart, of: histogram)) + pauseRange
      let floor = UInt8(clamping: max(quiet - speechRange, min(quiet, quietest)))
      let loud = LevelByteCoding.decibels(percentile(0.95, of: histogram))
      let isSpeechAlone =
        histogram[0] * 12 > wanted.count && loud - LevelByteCoding.decibels(floor) > steadiness
      return isSpeechAlone ? 0 : floor
    }
  }

  /// Returns the code below which the share `fraction` of all non-silent codes is.
  static func percentile(_ fraction: Double, of histogram: [Int]) -> UInt8 {
    var left = Int(saturating: fraction * Double(histogram[1...].reduce(0, +)))
    for code in 1..<256 where histogram[code] > 0 {
      left -= histogram[code]
      if left < 0 { return UInt8(code) }
    }
    return 0
  }
}
