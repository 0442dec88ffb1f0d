import Glibc
import TesseraTimeline

/// How loud a mix will be, from what was found in its voices.
enum MixLoudness {
  private static let step = 20_000_000 as Int64
  /// Steps of a block and between two blocks: 400 ms, overlapping by three quarters.
  private static let (block, distance) = (20, 5)
  /// Decibels that all voices are moved by at most: far down where many speak at once.
  private static let moves = -24.0...6.0

  /// The decibels by which all voices have to be moved so that the mix has `target` LUFS, each
  /// under its gain curve; 0 where nothing is heard. Voices add up as their powers do.
  static func correction(
    _ voices: [(voice: Leveling.Voice, curve: GainCurve)], target: Double
  ) -> Double {
    let end = voices.map { $0.voice.interval.end.nanoseconds / step }.max() ?? 0
    var powers = [Double](repeating: 0, count: max(0, Int(min(end, 1 << 28))))
    for (voice, curve) in voices { add(voice, curve, to: &powers) }
    guard let loudness = integrated(powers) else { return 0 }
    return min(moves.upperBound, max(moves.lowerBound, target - loudness))
  }

  private static func add(
    _ voice: Leveling.Voice, _ curve: GainCurve, to powers: inout [Double]
  ) {
    let shift = Int(voice.start.nanoseconds / step)
    let heard =
      Int(voice.interval.start.nanoseconds / step)..<Int(voice.interval.end.nanoseconds / step)
    var index = 0
    for (number, code) in voice.analysis.levels.enumerated() where code > 0 {
      let place = number + shift
      guard place >= 0, place < powers.count, heard.contains(place) else { continue }
      let middle = Int64(number * VoiceAnalysis.hop + VoiceAnalysis.hop / 2)
      let gain = curve.decibels(at: middle, from: &index)
      guard gain > GainCurve.silence else { continue }
      powers[place] += LevelCode.powers[Int(code)] * pow(10, Double(gain) / 10)
    }
  }

  /// The gated loudness of BS.1770 of powers in steps of 20 ms.
  static func integrated(_ powers: [Double]) -> Double? {
    var blocks: [Double] = []
    var sum = powers.prefix(block).reduce(0, +)
    var first = 0
    while first + block <= powers.count {
      blocks.append(max(0, sum) / Double(block))
      for index in first..<min(first + distance, powers.count - block) {
        sum += powers[index + block] - powers[index]
      }
      first += distance
    }
    let audible = blocks.filter { $0 > pow(10, -7) }
    guard !audible.isEmpty else { return nil }
    let gate = audible.reduce(0, +) / Double(audible.count) / 10
    let loud = audible.filter { $0 > gate }
    return loud.isEmpty ? nil : 10 * log10(loud.reduce(0, +) / Double(loud.count))
  }
}
