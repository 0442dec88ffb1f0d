import Foundation
import TesseraSoundtrack
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct VoiceLevelerTests {
  private static func curves(
    _ call: Conversation, target: Double
  ) -> [GainCurve] {
    let interval = TimeRange(
      start: .zero, end: MediaTime(nanoseconds: Int64(call.speaking.count) * 20_000_000))
    return VoiceLeveler.level(
      call.analyses.map { VoiceLeveler.Voice(analysis: $0, start: .zero, interval: interval) },
      target: target
    ).curves
  }

  @Test(arguments: [(2, UInt64(201), -16.0), (6, 202, -16), (6, 203, -23)])
  func voicesReachOneLoudness(count: Int, seed: UInt64, target: Double) throws {
    var random = SplitMix64(seed: seed)
    // The maximum gain just suffices for the first voice.
    let loudness = (0..<count).map { -39 + 29 * Double($0) / Double(count - 1) }
    let call = Conversation(loudness: loudness, seconds: 15 * count, using: &random)
    let curves = Self.curves(call, target: target)
    let (leveled, mix) = Leveled.mix(call.voices, curves)
    let said = call.speaking.reduce(into: Set<Int>()) { $0.formUnion($1) }
    let loudnesses = said.map { Leveled.loudness(leveled[$0]) }
    let spread = (loudnesses.max() ?? 0) - (loudnesses.min() ?? 0)
    let total = Leveled.loudness(mix)
    #expect(spread <= 1.5)
    #expect(abs(total - target) <= 0.5)
    for curve in curves {
      for (point, next) in zip(curve.points, curve.points.dropFirst())
      where point.decibels > GainCurve.silence && next.decibels > GainCurve.silence {
        let rate =
          abs(next.decibels - point.decibels) * 48_000
          / Float(max(1, next.position - point.position))
        #expect(rate < 6)
      }
    }
  }

  /// Correlated voices add up to twice as many decibels as uncorrelated ones.
  @Test(arguments: [(2, 8), (5, 8), (20, 8), (3, 240)])
  func simultaneousVoicesReachTheTarget(count: Int, seconds: Int) throws {
    var random = SplitMix64(seed: 209)
    let speech = SyntheticSpeech(pitch: 120, using: &random).samples(seconds: Double(seconds))
    let voices = (0..<count).map { index in speech.map { $0 * Float(pow(0.8, Double(index))) } }
    let interval = TimeRange(start: .zero, end: MediaTime(seconds: seconds))
    let analyses = voices.map { samples in
      var analyzer = VoiceAnalyzer()
      analyzer.append(samples)
      return VoiceLeveler.Voice(analysis: analyzer.finish(), start: .zero, interval: interval)
    }
    let curves = VoiceLeveler.level(analyses, target: -20, measure: Leveled.measure(voices)).curves
    #expect(abs(Leveled.loudness(Leveled.mix(voices, curves).mix) + 20) <= 0.5)
  }

  @Test func aPersonWhoMovesAwayIsFollowed() {
    var random = SplitMix64(seed: 204)
    let near = SyntheticSpeech(pitch: 110, using: &random).samples(seconds: 40)
    let voice = near.enumerated().map { index, sample in
      sample * Float(pow(10, -15 * min(1, max(0, Double(index) / 96_000 - 12) / 16) / 20))
    }
    var analyzer = VoiceAnalyzer()
    analyzer.append(voice)
    let interval = TimeRange(start: .zero, end: MediaTime(seconds: 40))
    let curve = VoiceLeveler.level(
      [VoiceLeveler.Voice(analysis: analyzer.finish(), start: .zero, interval: interval)],
      target: -16
    ).curves[0]
    let leveled = Leveled.mix([voice], [curve]).leveled[0]
    let first = Leveled.loudness(Array(leveled[..<(2 * 48_000 * 10)]))
    let last = Leveled.loudness(Array(leveled[(2 * 48_000 * 30)...]))
    #expect(abs(first - last) < 3)
  }

  /// All people hear each other over loudspeakers.
  @Test(arguments: [(80, -24.0, UInt64(212)), (30, -18, 213)])
  func voicesWithBleedReachOneLoudness(
    delay: Int, decibels: Double, seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let loudness = [-20.0, -26, -33]
    let dry = Conversation(loudness: loudness, seconds: 48, using: &random)
    let call = dry.withBleed(milliseconds: delay, decibels: decibels)
    let duration = MediaTime(nanoseconds: Int64(call.speaking.count) * 20_000_000)
    let analyses = call.analyses
    let found = ActiveSpeakerTimeline(
      analyses.enumerated().map { .init(voice: $0, analysis: $1, start: .zero) },
      voiceCount: loudness.count, duration: duration)
    let voices = analyses.indices.map { index in
      var voice = VoiceLeveler.Voice(
        analysis: analyses[index], start: .zero,
        interval: TimeRange(start: .zero, end: duration))
      (voice.said, voice.bleed) = (found.said[index], found.bleed[index])
      return voice
    }
    let result = VoiceLeveler.level(voices, target: -16, measure: Leveled.measure(call.voices))
    let (leveled, mix) = Leveled.mix(call.voices, result.curves)
    let loudnesses = loudness.indices.map { voice in
      Leveled.loudness(
        call.speaking.indices.filter { call.speaking[$0] == [voice] }
          .flatMap { leveled[voice][(1920 * $0)..<(1920 * ($0 + 1))] })
    }
    let spread = (loudnesses.max() ?? 0) - (loudnesses.min() ?? 0)
    #expect(spread <= 2, "\(loudnesses)")
    #expect(abs(Leveled.loudness(mix) + 16) <= 0.5)
    #expect(abs((result.loudness ?? 0) - Leveled.loudness(mix)) <= 0.5)
    // A person's speech is not mixed from another's microphone.
    for voice in loudness.indices {
      let others = call.speaking.indices.filter { step in
        step >= 40 && !call.speaking[step].isEmpty
          && call.speaking[(step - 40)...step].allSatisfy { !$0.contains(voice) }
      }
      let heard = Leveled.loudness(
        others.flatMap { leveled[voice][(1920 * $0)..<(1920 * ($0 + 1))] })
      #expect(heard < -40, "\(voice)")
    }
  }

  /// A person too faint for any gain is reported with the missing gain, and so is a missed target.
  @Test func gainLimitsAndMissedTargetsAreReported() {
    var random = SplitMix64(seed: 215)
    let call = Conversation(loudness: [-20, -50], seconds: 40, using: &random)
    let interval = TimeRange(start: .zero, end: MediaTime(seconds: 40))
    let voices = call.analyses.map {
      VoiceLeveler.Voice(analysis: $0, start: .zero, interval: interval)
    }
    let both = VoiceLeveler.level(voices, target: -16)
    #expect(both.limits[0] == nil)
    let distance = both.limits[1]?.distance ?? 0
    #expect(distance < -9 && distance > -16 && both.limits[1]?.isNoise == false, "\(distance)")
    let faint = VoiceLeveler.level([voices[1]], target: -14)
    #expect(abs((faint.loudness ?? 0) + 26) < 2)
    #expect(
      abs((faint.loudness ?? 0) - Leveled.loudness(Leveled.mix([call.voices[1]], faint.curves).mix))
        <= 0.5)
  }

  /// The limiter's reduction is compensated.
  @Test(arguments: [-14.0, -10]) func limitedPeaksAreCompensated(target: Double) {
    var random = SplitMix64(seed: 216)
    let call = Conversation(loudness: [-24, -22], seconds: 30, using: &random)
    let interval = TimeRange(start: .zero, end: MediaTime(seconds: 40))
    let voices = call.analyses.map {
      VoiceLeveler.Voice(analysis: $0, start: .zero, interval: interval)
    }
    let result = VoiceLeveler.level(voices, target: target)
    let mix = Leveled.loudness(Leveled.mix(call.voices, result.curves).mix)
    #expect(abs((result.loudness ?? 0) - mix) <= 0.7)
    // With little room below the ceiling, -10 is not reached; the reached value is reported.
    #expect(target == -10 ? mix > -13.5 : abs(mix - target) <= 0.7)
  }

  /// A part of a call has the requested loudness, whatever the rest is.
  @Test func onlyTheRenderedPartCounts() {
    var random = SplitMix64(seed: 217)
    let call = Conversation(loudness: [-24], seconds: 40, using: &random)
    let samples = call.voices[0].enumerated().map { $0 < 96_000 * 20 ? $1 : 0.7 * $1 }
    var analyzer = VoiceAnalyzer()
    analyzer.append(samples)
    let interval = TimeRange(start: .zero, end: MediaTime(seconds: 40))
    let voice = VoiceLeveler.Voice(
      analysis: analyzer.finish(), start: .zero, interval: interval, isSpeech: false)
    let shown = TimeRange(start: MediaTime(seconds: 20), end: MediaTime(seconds: 40))
    let result = VoiceLeveler.level([voice], target: -30, shown: shown)
    let leveled = Leveled.mix([samples], result.curves).leveled[0]
    #expect(abs(Leveled.loudness(Array(leveled[(96_000 * 20)...])) + 30) <= 0.5)
  }

  @Test func loudnessDifferencesAreReported() {
    var random = SplitMix64(seed: 206)
    let call = Conversation(loudness: [-30, -16], seconds: 24, using: &random)
    let found = VoiceLeveler.difference(call.analyses)
    #expect(abs((found?.difference ?? 0) - 14) < 2)
    #expect(found?.quietest == 0 && found?.loudest == 1)
  }

  @Test func targetsAreReadByName() {
    #expect(LoudnessTarget("speech") == .loudness(-16))
    #expect(LoudnessTarget("broadcast") == .loudness(-23))
    #expect(LoudnessTarget("web") == .loudness(-14))
    #expect(LoudnessTarget("-18.5") == .loudness(-18.5))
    #expect(LoudnessTarget("off") == .off)
    for wrong in ["loud", "3", "-90", "nan", ""] { #expect(LoudnessTarget(wrong) == nil) }
  }
}
