import TesseraTimeline

/// Follows the level that a voice's pauses have.
enum NoiseFloor {
  /// Seconds before and after that are looked at.
  private static let reach = 15
  /// The part of them that counts as pause, and the part that does where nobody pauses.
  private static let (quietPart, quietestPart) = (0.1, 0.01)
  /// Codes of half a decibel: pauses vary by no more than that, and noise is at most so far below
  /// what is quiet in speech.
  private static let (pauseRange, speechRange) = (6, 40)

  /// Noise varies by less than that many decibels.
  private static let steadiness = 9.0

  /// The floor around every second of levels as in ``VoiceAnalysis/levels``: what a tenth of the
  /// steps around it that are not silent lie below. 0 where pauses are silent: what is left then is
  /// nearly all speech and says nothing of noise, which would be steadier. Somebody who talks on
  /// without a pause has a tenth of soft sounds, which vary: then the very quietest steps count.
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
      let loud = LevelCode.decibels(percentile(0.95, of: histogram))
      let isSpeechAlone =
        histogram[0] * 12 > wanted.count && loud - LevelCode.decibels(floor) > steadiness
      return isSpeechAlone ? 0 : floor
    }
  }

  /// The code that the part `fraction` of the codes above 0 lies below.
  static func percentile(_ fraction: Double, of histogram: [Int]) -> UInt8 {
    var left = Int(saturating: fraction * Double(histogram[1...].reduce(0, +)))
    for code in 1..<256 where histogram[code] > 0 {
      left -= histogram[code]
      if left < 0 { return UInt8(code) }
    }
    return 0
  }
}
