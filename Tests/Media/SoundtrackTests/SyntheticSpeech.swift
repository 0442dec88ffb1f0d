import Foundation
import TestSupport

/// A sound with the shape of speech: harmonics of a wandering pitch under three formants, in
/// syllables of random length with pauses and hisses.
struct SyntheticSpeech {
  private let pitch: Double
  private var random: SplitMix64

  init(pitch: Double, using random: inout SplitMix64) {
    self.pitch = pitch
    self.random = SplitMix64(seed: random.next())
  }

  /// Returns interleaved 48 kHz stereo, equal on both sides, with peaks up to 0.8.
  func samples(seconds: Double) -> [Float] {
    var random = random
    var samples: [Float] = []
    var phase = 0.0
    while Double(samples.count) < 96_000 * seconds {
      let length = Int.random(in: 4_000...14_000, using: &random)
      let kind = Int.random(in: 0..<6, using: &random)
      let formants = [
        Double.random(in: 300...800, using: &random), .random(in: 900...2300, using: &random), 2900,
      ]
      for index in 0..<length {
        let envelope = sin(.pi * Double(index) / Double(length))
        phase += 2 * .pi * pitch * (1 + 0.1 * envelope) / 48_000
        let voiced = Self.voiced(phase: phase, pitch: pitch, formants: formants)
        let hiss = Double.random(in: -0.3...0.3, using: &random)
        let value = Float(envelope * (kind == 0 ? 0 : kind == 1 ? hiss : voiced))
        samples.append(value)
        samples.append(value)
      }
    }
    let peak = samples.reduce(0.001) { max($0, abs($1)) }
    return samples.map { 0.8 * $0 / peak }
  }

  private static func voiced(phase: Double, pitch: Double, formants: [Double]) -> Double {
    (1...24).reduce(0) { sum, harmonic in
      let frequency = pitch * Double(harmonic)
      let level = formants.reduce(0.02) { level, formant in
        let distance = (frequency - formant) / 150
        return level + 1 / (1 + distance * distance) * 500 / formant
      }
      return sum + level * sin(phase * Double(harmonic))
    }
  }
}
