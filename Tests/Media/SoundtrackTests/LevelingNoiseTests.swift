import Foundation
import TesseraSoundtrack
import TesseraTimeline
import TestSupport
import Testing

/// Leveling does not raise noise together with voices.
@Suite(.timed) struct LevelingNoiseTests {
  @Test func idleVoicesAreFadedOutAndNoiseIsNotRaised() {
    var random = SplitMix64(seed: 205)
    let speech = SyntheticSpeech(pitch: 140, using: &random).samples(seconds: 6)
    let noise = (0..<2 * 48_000 * 20).map { _ in Float.random(in: -5e-4...5e-4, using: &random) }
    var voice = noise
    for (index, sample) in speech.enumerated() { voice[2 * 48_000 * 6 + index] += 0.05 * sample }
    var analyzer = VoiceAnalyzer()
    analyzer.append(voice)
    let analysis = analyzer.finish()
    let interval = TimeRange(start: .zero, end: MediaTime(seconds: 20))
    let curve = VoiceLeveler.level(
      [VoiceLeveler.Voice(analysis: analysis, start: .zero, interval: interval)], target: -16
    ).curves[0]
    let floor = analysis.noiseFloorDecibels ?? 0
    #expect(abs(floor - Leveled.loudness(noise)) < 3)
    for second in [0, 2, 4, 16, 18] {
      #expect(curve.decibels(at: Int64(second * 48_000)) <= GainCurve.silence)
    }
    let open = (0..<20).map { curve.decibels(at: Int64(48_000 * $0)) }
    #expect(open.contains { $0 > -20 })
    #expect(open.allSatisfy { Double($0) + floor <= -16 - VoiceLeveler.noiseDistance + 0.5 })
    #expect(Double(open[13]) + floor <= VoiceLeveler.loudestNoise + 0.5)
  }

  /// A whisper over fan noise becomes as loud as the other voices, and its pauses as quiet.
  @Test func whispersOverNoiseAreRaised() throws {
    var random = SplitMix64(seed: 211)
    let noise = (0..<96_000 * 30).map { _ in Float.random(in: -1.7e-3...1.7e-3, using: &random) }
    let speech = SyntheticSpeech(pitch: 140, using: &random).samples(seconds: 5)
    let gain = Float(pow(10, (-40 - Leveled.loudness(speech)) / 20))
    var voice = noise
    for start in [4, 10, 18, 24] {
      for (index, sample) in speech.enumerated() { voice[96_000 * start + index] += gain * sample }
    }
    var analyzer = VoiceAnalyzer()
    analyzer.append(voice)
    let interval = TimeRange(start: .zero, end: MediaTime(seconds: 30))
    let result = VoiceLeveler.level(
      [VoiceLeveler.Voice(analysis: analyzer.finish(), start: .zero, interval: interval)],
      target: -16)
    let leveled = Leveled.mix([voice], result.curves).leveled[0]
    let said = [4, 10, 18, 24].flatMap { leveled[(96_000 * $0)..<(96_000 * ($0 + 5))] }
    #expect(abs(Leveled.loudness(said) + 16) <= 1.5)
    for pause in [48_000 * 19..<96_000 * 10, 96_000 * 15 + 60_000..<96_000 * 17 + 60_000] {
      #expect(Leveled.loudness(Array(leveled[pause])) <= VoiceLeveler.loudestNoise + 1)
    }
    #expect(result.limits == [nil])
  }

  /// Soft sounds are not noise: a distant person who never pauses is raised like the others.
  @Test func aPersonWithoutPausesIsRaised() {
    var random = SplitMix64(seed: 210)
    // Syllables whose ends are up to 26 dB below their middles, over noise at -80 dB.
    let samples = (0..<48_000 * 20).flatMap { frame -> [Float] in
      let place = Double(frame % 9600) / 9600
      let level = 0.03 * pow(10, -26 * abs(2 * place - 1) / 20)
      let sample =
        Float(level * sin(Double(frame) * 0.03)) + .random(in: -1.7e-4...1.7e-4, using: &random)
      let isGap = frame % 96_000 < 2400
      return Array(
        repeating: isGap ? .random(in: -1.7e-4...1.7e-4, using: &random) : sample, count: 2)
    }
    var analyzer = VoiceAnalyzer()
    analyzer.append(samples)
    let interval = TimeRange(start: .zero, end: MediaTime(seconds: 20))
    let voice = VoiceLeveler.Voice(analysis: analyzer.finish(), start: .zero, interval: interval)
    let curve = VoiceLeveler.level([voice], target: -20).curves[0]
    #expect(abs(Leveled.loudness(Leveled.mix([samples], [curve]).leveled[0]) + 20) < 1)
  }

  @Test func noiseAloneIsSilencedButATonePasses() {
    var random = SplitMix64(seed: 208)
    let noise = (0..<96_000 * 5).map { _ in Float.random(in: -1e-3...1e-3, using: &random) }
    let tone = (0..<96_000 * 5).map { 0.5 * Float(sin(Double($0 / 2) / 10)) }
    let interval = TimeRange(start: .zero, end: MediaTime(seconds: 5))
    let gains = [noise, tone].map { samples in
      var analyzer = VoiceAnalyzer()
      analyzer.append(samples)
      let voice = VoiceLeveler.Voice(analysis: analyzer.finish(), start: .zero, interval: interval)
      return VoiceLeveler.level([voice], target: -16).curves[0].decibels(at: 48_000)
    }
    #expect(gains[0] <= GainCurve.silence)
    #expect(gains[1] < 0 && gains[1] > -12)
  }
}
