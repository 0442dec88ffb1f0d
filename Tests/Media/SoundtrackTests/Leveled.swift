import Foundation
import TesseraSoundtrack

/// Voices with gain curves applied.
enum Leveled {
  /// Returns the voices with their gains applied, and the mix after the limiter.
  static func mix(
    _ voices: [[Float]], _ curves: [GainCurve]
  ) -> (leveled: [[Float]], mix: [Float]) {
    let leveled = zip(voices, curves).map { samples, curve in
      var follower = GainCurve.Applier(curve, origin: 0)
      var result = [Float](repeating: 0, count: samples.count)
      for start in stride(from: 0, to: samples.count, by: 2048) {
        let block = Array(samples[start..<min(samples.count, start + 2048)])
        follower.add(block, to: &result, from: start, at: Int64(start / 2))
      }
      return result
    }
    var limiter = Limiter()
    var mix: [Float] = []
    let count = voices.first?.count ?? 0
    for start in stride(from: 0, to: count + 2048, by: 2048) {
      var block = [Float](repeating: 0, count: 2048)
      for voice in leveled {
        for index in start..<max(start, min(count, start + 2048)) {
          block[index - start] += voice[index]
        }
      }
      limiter.process(&block)
      mix += block
    }
    return (leveled, Array(mix[2048..<2048 + count]))
  }

  static func loudness(_ samples: [Float]) -> Double {
    var meter = LoudnessMeter()
    meter.add(samples)
    return meter.integrated ?? -70
  }

  /// Returns the measurement of each range of steps under given curves.
  static func measure(_ voices: [[Float]]) -> MixPowerMeter.Powers {
    { ranges, curves in
      let leveled = mix(voices, curves).leveled
      return ranges.map { steps in
        var meter = LoudnessMeter()
        return steps.map { step in
          var block = [Float](repeating: 0, count: 1920)
          for voice in leveled {
            for index in block.indices where 1920 * step + index < voice.count {
              block[index] += voice[1920 * step + index]
            }
          }
          return pow(10, meter.add(block) / 10)
        }
      }
    }
  }
}
