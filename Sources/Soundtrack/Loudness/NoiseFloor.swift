/// Follows the level that a voice's pauses have.
enum NoiseFloor {
  /// Seconds before and after that are looked at.
  private static let reach = 15
  /// The part of them that counts as pause.
  private static let quietPart = 0.1

  /// Noise varies by less than that many decibels.
  private static let steadiness = 9.0

  /// The floor around every second of levels as in ``VoiceAnalysis/levels``: what a tenth of the
  /// steps around it that are not silent lie below. 0 where pauses are silent: what is left then is
  /// nearly all speech and says nothing of noise, which would be steadier.
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
      let floor = percentile(quietPart, of: histogram)
      let loud = LevelCode.decibels(percentile(0.95, of: histogram))
      let isSpeechAlone =
        histogram[0] * 12 > wanted.count && loud - LevelCode.decibels(floor) > steadiness
      return isSpeechAlone ? 0 : floor
    }
  }

  /// The code that the part `fraction` of the codes above 0 lies below.
  static func percentile(_ fraction: Double, of histogram: [Int]) -> UInt8 {
    var left = Int(fraction * Double(histogram[1...].reduce(0, +)))
    for code in 1..<256 where histogram[code] > 0 {
      left -= histogram[code]
      if left < 0 { return UInt8(code) }
    }
    return 0
  }
}
