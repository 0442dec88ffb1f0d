/// Follows the level that a voice's pauses have.
enum NoiseFloor {
  /// Seconds before and after that are looked at.
  private static let reach = 15
  /// The part of them that counts as pause.
  private static let quietPart = 0.1

  /// The floor around every second of levels as in ``VoiceAnalysis/levels``: what a tenth of the
  /// steps around it that are not silent lie below. 0 where all is silent.
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
      return percentile(quietPart, of: histogram)
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
