import Foundation
import TesseraSoundtrack
import TestSupport
import Testing

@Suite struct AlignSoundTests {
  /// Speech, mono at 8 kHz: noise bands under syllables of random length.
  private static func speech(seconds: Int, _ random: inout SplitMix64) -> [Float] {
    var samples: [Float] = []
    while samples.count < 8000 * seconds {
      let length = Int.random(in: 600...2400, using: &random)
      let level = Bool.random(using: &random) ? Float.random(in: 0.05...0.4, using: &random) : 0
      var last: Float = 0
      for index in 0..<length {
        let envelope = sin(.pi * Float(index) / Float(length))
        last = 0.7 * last + Float.random(in: -1...1, using: &random)
        samples.append(level * envelope * last)
      }
    }
    return Array(samples[..<(8000 * seconds)])
  }

  /// `samples` as another recorder has them, from second `start` on, with a clock that runs slower
  /// by that much, with a room's echo and noise.
  private static func recorded(
    _ samples: [Float], from start: Double, seconds: Double, partsPerMillion: Double, noise: Float,
    _ random: inout SplitMix64
  ) -> [Float] {
    (0..<Int(seconds * 8000)).map { index in
      let place = start * 8000 + Double(index) * (1 + partsPerMillion / 1e6)
      let whole = Int(place.rounded(.down))
      guard whole >= 160, whole + 1 < samples.count else { return 0 }
      let part = Float(place - Double(whole))
      let sample = samples[whole] + part * (samples[whole + 1] - samples[whole])
      return 0.5 * sample + 0.15 * samples[whole - 160]
        + .random(in: -noise...noise, using: &random)
    }
  }

  @Test(arguments: [(12.345, 0.0), (0.5, 120), (250.25, -80), (590, 300)])
  func offsetAndDriftAreFound(start: Double, partsPerMillion: Double) {
    var random = SplitMix64(seed: 401)
    let reference = Self.speech(seconds: 750, &random)
    let recording = Self.recorded(
      reference, from: start, seconds: 150, partsPerMillion: partsPerMillion, noise: 0.02, &random)
    let found = AlignSound.align(SoundSketch(recording), to: SoundSketch(reference))
    #expect(found.isSure)
    #expect(abs(found.offset - start) < 0.005)
    let end = 150 * (found.partsPerMillion - partsPerMillion) / 1e6
    #expect(abs(found.offset + end - start) < 0.005)
  }

  @Test func recordingThatBeganEarlierHasANegativeOffset() {
    var random = SplitMix64(seed: 402)
    let reference = Self.speech(seconds: 300, &random)
    let late = Array(reference[(8000 * 100)...])
    let found = AlignSound.align(SoundSketch(reference), to: SoundSketch(late))
    #expect(found.isSure && abs(found.offset + 100) < 0.005)
  }

  @Test(arguments: [UInt64(403), 404, 405])
  func otherSoundIsRefused(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let one = Self.speech(seconds: 200, &random)
    let other = Self.speech(seconds: 200, &random)
    let found = AlignSound.align(SoundSketch(one), to: SoundSketch(other))
    #expect(!found.isSure)
  }

  /// The same four bars again and again lie anywhere.
  @Test func soundThatRepeatsItselfIsRefused() {
    var random = SplitMix64(seed: 406)
    let bars = Self.speech(seconds: 8, &random)
    let music = (0..<20).flatMap { _ in bars }
    let found = AlignSound.align(SoundSketch(music), to: SoundSketch(music))
    #expect(!found.isSure)
  }

  /// Somebody wears no headphones: the others are faint in the recording of the own voice.
  @Test func faintSoundOfTheOthersIsEnough() {
    var random = SplitMix64(seed: 407)
    let others = Self.speech(seconds: 240, &random)
    let own = Self.speech(seconds: 200, &random)
    let recording = zip(own, others[(30 * 8000)...]).map { $0 + 0.1 * $1 }
    let found = AlignSound.align(SoundSketch(recording), to: SoundSketch(others))
    #expect(found.isSure && abs(found.offset - 30) < 0.001, "\(found)")
    #expect(abs(found.partsPerMillion) < 5)
  }

  @Test(arguments: [0, 100, 8000, 24_000])
  func tooLittleIsRefused(count: Int) {
    let silence = SoundSketch([Float](repeating: 0, count: count))
    #expect(!AlignSound.align(silence, to: silence).isSure)
  }
}
