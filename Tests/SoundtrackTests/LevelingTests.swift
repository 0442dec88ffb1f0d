import Foundation
import TesseraSoundtrack
import TesseraTimeline
import TestSupport
import Testing

@Suite struct LevelingTests {
  /// The voices with their gains applied, and the mix after the limiter.
  private static func mix(
    _ voices: [[Float]], _ curves: [GainCurve]
  ) -> (leveled: [[Float]], mix: [Float]) {
    let leveled = zip(voices, curves).map { samples, curve in
      var follower = GainCurve.Follower(curve, origin: 0)
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

  private static func loudness(_ samples: [Float]) -> Double {
    var meter = LoudnessMeter()
    meter.add(samples)
    return meter.integrated ?? -70
  }

  private static func curves(
    _ call: Conversation, target: Double
  ) -> [GainCurve] {
    let interval = TimeInterval(
      start: .zero, end: MediaTime(nanoseconds: Int64(call.speaking.count) * 20_000_000))
    return Leveling.level(
      call.analyses.map { Leveling.Voice(analysis: $0, start: .zero, interval: interval) },
      target: target
    ).curves
  }

  @Test(arguments: [(2, UInt64(201), -16.0), (6, 202, -16), (6, 203, -23)])
  func voicesComeToOneLoudness(count: Int, seed: UInt64, target: Double) throws {
    var random = SplitMix64(seed: seed)
    // The most that the gain may be is just enough for the first one.
    let loudness = (0..<count).map { -39 + 29 * Double($0) / Double(count - 1) }
    let call = Conversation(loudness: loudness, seconds: 15 * count, using: &random)
    let curves = Self.curves(call, target: target)
    let (leveled, mix) = Self.mix(call.voices, curves)
    let said = call.speaking.reduce(into: Set<Int>()) { $0.formUnion($1) }
    let loudnesses = said.map { Self.loudness(leveled[$0]) }
    let spread = (loudnesses.max() ?? 0) - (loudnesses.min() ?? 0)
    let total = Self.loudness(mix)
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

  /// What the voices' curves make of each range of steps.
  private static func measure(_ voices: [[Float]]) -> MixMeasure.Powers {
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

  /// Voices that are the same add up to twice as many decibels as those that are not.
  @Test(arguments: [(2, 8), (5, 8), (20, 8), (3, 240)])
  func voicesThatSpeakAtOnceComeToTheTarget(count: Int, seconds: Int) throws {
    var random = SplitMix64(seed: 209)
    let speech = SyntheticSpeech(pitch: 120, using: &random).samples(seconds: Double(seconds))
    let voices = (0..<count).map { index in speech.map { $0 * Float(pow(0.8, Double(index))) } }
    let interval = TimeInterval(start: .zero, end: MediaTime(seconds: seconds))
    let analyses = voices.map { samples in
      var analyzer = VoiceAnalyzer()
      analyzer.append(samples)
      return Leveling.Voice(analysis: analyzer.finish(), start: .zero, interval: interval)
    }
    let curves = Leveling.level(analyses, target: -20, measure: Self.measure(voices)).curves
    #expect(abs(Self.loudness(Self.mix(voices, curves).mix) + 20) <= 0.5)
  }

  @Test func someoneWhoMovesAwayIsFollowed() {
    var random = SplitMix64(seed: 204)
    let near = SyntheticSpeech(pitch: 110, using: &random).samples(seconds: 40)
    let voice = near.enumerated().map { index, sample in
      sample * Float(pow(10, -15 * min(1, max(0, Double(index) / 96_000 - 12) / 16) / 20))
    }
    var analyzer = VoiceAnalyzer()
    analyzer.append(voice)
    let interval = TimeInterval(start: .zero, end: MediaTime(seconds: 40))
    let curve = Leveling.level(
      [Leveling.Voice(analysis: analyzer.finish(), start: .zero, interval: interval)], target: -16
    ).curves[0]
    let leveled = Self.mix([voice], [curve]).leveled[0]
    let first = Self.loudness(Array(leveled[..<(2 * 48_000 * 10)]))
    let last = Self.loudness(Array(leveled[(2 * 48_000 * 30)...]))
    #expect(abs(first - last) < 3)
  }

  @Test func idleVoicesAreFadedOutAndNoiseIsNotRaised() {
    var random = SplitMix64(seed: 205)
    let speech = SyntheticSpeech(pitch: 140, using: &random).samples(seconds: 6)
    let noise = (0..<2 * 48_000 * 20).map { _ in Float.random(in: -5e-4...5e-4, using: &random) }
    var voice = noise
    for (index, sample) in speech.enumerated() { voice[2 * 48_000 * 6 + index] += 0.05 * sample }
    var analyzer = VoiceAnalyzer()
    analyzer.append(voice)
    let analysis = analyzer.finish()
    let interval = TimeInterval(start: .zero, end: MediaTime(seconds: 20))
    let curve = Leveling.level(
      [Leveling.Voice(analysis: analysis, start: .zero, interval: interval)], target: -16
    ).curves[0]
    let floor = analysis.noiseFloorDecibels ?? 0
    #expect(abs(floor - Self.loudness(noise)) < 3)
    for second in [0, 2, 4, 16, 18] {
      #expect(curve.decibels(at: Int64(second * 48_000)) <= GainCurve.silence)
    }
    let open = (0..<20).map { curve.decibels(at: Int64(48_000 * $0)) }
    #expect(open.contains { $0 > -20 })
    #expect(open.allSatisfy { Double($0) + floor <= -16 - Leveling.noiseDistance + 0.5 })
    #expect(Double(open[13]) + floor <= Leveling.loudestNoise + 0.5)
  }

  /// A whisper over noise of a fan is as loud as everyone else, and its pauses are as quiet.
  @Test func whispersOverNoiseAreRaised() throws {
    var random = SplitMix64(seed: 211)
    let noise = (0..<96_000 * 30).map { _ in Float.random(in: -1.7e-3...1.7e-3, using: &random) }
    let speech = SyntheticSpeech(pitch: 140, using: &random).samples(seconds: 5)
    let gain = Float(pow(10, (-40 - Self.loudness(speech)) / 20))
    var voice = noise
    for start in [4, 10, 18, 24] {
      for (index, sample) in speech.enumerated() { voice[96_000 * start + index] += gain * sample }
    }
    var analyzer = VoiceAnalyzer()
    analyzer.append(voice)
    let interval = TimeInterval(start: .zero, end: MediaTime(seconds: 30))
    let result = Leveling.level(
      [Leveling.Voice(analysis: analyzer.finish(), start: .zero, interval: interval)], target: -16)
    let leveled = Self.mix([voice], result.curves).leveled[0]
    let said = [4, 10, 18, 24].flatMap { leveled[(96_000 * $0)..<(96_000 * ($0 + 5))] }
    #expect(abs(Self.loudness(said) + 16) <= 1.5)
    for pause in [48_000 * 19..<96_000 * 10, 96_000 * 15 + 60_000..<96_000 * 17 + 60_000] {
      #expect(Self.loudness(Array(leveled[pause])) <= Leveling.loudestNoise + 1)
    }
    #expect(result.limits == [nil])
  }

  /// Everyone hears everyone else over loudspeakers.
  @Test(arguments: [(80, -24.0, UInt64(212)), (30, -18, 213)])
  func voicesThatAreHeardInEachOtherComeToOneLoudness(
    delay: Int, decibels: Double, seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let loudness = [-20.0, -26, -33]
    let dry = Conversation(loudness: loudness, seconds: 48, using: &random)
    let call = dry.withBleed(milliseconds: delay, decibels: decibels)
    let duration = MediaTime(nanoseconds: Int64(call.speaking.count) * 20_000_000)
    let analyses = call.analyses
    let found = ActiveSpeaker(
      analyses.enumerated().map { .init(voice: $0, analysis: $1, start: .zero) },
      voiceCount: loudness.count, duration: duration)
    let voices = analyses.indices.map { index in
      var voice = Leveling.Voice(
        analysis: analyses[index], start: .zero,
        interval: TimeInterval(start: .zero, end: duration))
      (voice.said, voice.bleed) = (found.said[index], found.bleed[index])
      return voice
    }
    let result = Leveling.level(voices, target: -16, measure: Self.measure(call.voices))
    let (leveled, mix) = Self.mix(call.voices, result.curves)
    let loudnesses = loudness.indices.map { voice in
      Self.loudness(
        call.speaking.indices.filter { call.speaking[$0] == [voice] }
          .flatMap { leveled[voice][(1920 * $0)..<(1920 * ($0 + 1))] })
    }
    let spread = (loudnesses.max() ?? 0) - (loudnesses.min() ?? 0)
    #expect(spread <= 2, "\(loudnesses)")
    #expect(abs(Self.loudness(mix) + 16) <= 0.5)
    #expect(abs((result.loudness ?? 0) - Self.loudness(mix)) <= 0.5)
    // What another says is not heard from one's own microphone.
    for voice in loudness.indices {
      let others = call.speaking.indices.filter { step in
        step >= 40 && !call.speaking[step].isEmpty
          && call.speaking[(step - 40)...step].allSatisfy { !$0.contains(voice) }
      }
      let heard = Self.loudness(
        others.flatMap { leveled[voice][(1920 * $0)..<(1920 * ($0 + 1))] })
      #expect(heard < -40, "\(voice)")
    }
  }

  /// Who is too faint for any gain is named with what is missing, and so is a target.
  @Test func voicesAtTheirLimitAndTargetsThatAreMissedAreTold() {
    var random = SplitMix64(seed: 215)
    let call = Conversation(loudness: [-20, -50], seconds: 40, using: &random)
    let interval = TimeInterval(start: .zero, end: MediaTime(seconds: 40))
    let voices = call.analyses.map {
      Leveling.Voice(analysis: $0, start: .zero, interval: interval)
    }
    let both = Leveling.level(voices, target: -16)
    #expect(both.limits[0] == nil)
    let distance = both.limits[1]?.distance ?? 0
    #expect(distance < -9 && distance > -16 && both.limits[1]?.isNoise == false, "\(distance)")
    let faint = Leveling.level([voices[1]], target: -14)
    #expect(abs((faint.loudness ?? 0) + 26) < 2)
    #expect(
      abs((faint.loudness ?? 0) - Self.loudness(Self.mix([call.voices[1]], faint.curves).mix))
        <= 0.5)
  }

  /// What the limiter takes away is given back.
  @Test(arguments: [-14.0, -10]) func peaksThatAreLimitedAreCountedIn(target: Double) {
    var random = SplitMix64(seed: 216)
    let call = Conversation(loudness: [-24, -22], seconds: 30, using: &random)
    let interval = TimeInterval(start: .zero, end: MediaTime(seconds: 40))
    let voices = call.analyses.map {
      Leveling.Voice(analysis: $0, start: .zero, interval: interval)
    }
    let result = Leveling.level(voices, target: target)
    let mix = Self.loudness(Self.mix(call.voices, result.curves).mix)
    #expect(abs((result.loudness ?? 0) - mix) <= 0.7)
    // So little room is left below the ceiling that -10 is not reached; what is, is known.
    #expect(target == -10 ? mix > -13.5 : abs(mix - target) <= 0.7)
  }

  /// A part of a call is as loud as was asked for, whatever the rest is.
  @Test func onlyWhatIsShownCounts() {
    var random = SplitMix64(seed: 217)
    let call = Conversation(loudness: [-24], seconds: 40, using: &random)
    let samples = call.voices[0].enumerated().map { $0 < 96_000 * 20 ? $1 : 0.7 * $1 }
    var analyzer = VoiceAnalyzer()
    analyzer.append(samples)
    let interval = TimeInterval(start: .zero, end: MediaTime(seconds: 40))
    let voice = Leveling.Voice(
      analysis: analyzer.finish(), start: .zero, interval: interval, isSpeech: false)
    let shown = TimeInterval(start: MediaTime(seconds: 20), end: MediaTime(seconds: 40))
    let result = Leveling.level([voice], target: -30, shown: shown)
    let leveled = Self.mix([samples], result.curves).leveled[0]
    #expect(abs(Self.loudness(Array(leveled[(96_000 * 20)...])) + 30) <= 0.5)
  }

  /// Soft sounds are no noise: somebody far away who never pauses is raised like everyone else.
  @Test func someoneWithoutPausesIsRaised() {
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
    let interval = TimeInterval(start: .zero, end: MediaTime(seconds: 20))
    let voice = Leveling.Voice(analysis: analyzer.finish(), start: .zero, interval: interval)
    let curve = Leveling.level([voice], target: -20).curves[0]
    #expect(abs(Self.loudness(Self.mix([samples], [curve]).leveled[0]) + 20) < 1)
  }

  @Test func noiseAloneIsSilencedAndToneIsNot() {
    var random = SplitMix64(seed: 208)
    let noise = (0..<96_000 * 5).map { _ in Float.random(in: -1e-3...1e-3, using: &random) }
    let tone = (0..<96_000 * 5).map { 0.5 * Float(sin(Double($0 / 2) / 10)) }
    let interval = TimeInterval(start: .zero, end: MediaTime(seconds: 5))
    let gains = [noise, tone].map { samples in
      var analyzer = VoiceAnalyzer()
      analyzer.append(samples)
      let voice = Leveling.Voice(analysis: analyzer.finish(), start: .zero, interval: interval)
      return Leveling.level([voice], target: -16).curves[0].decibels(at: 48_000)
    }
    #expect(gains[0] <= GainCurve.silence)
    #expect(gains[1] < 0 && gains[1] > -12)
  }

  @Test func loudnessDifferencesAreTold() {
    var random = SplitMix64(seed: 206)
    let call = Conversation(loudness: [-30, -16], seconds: 24, using: &random)
    let found = Leveling.difference(call.analyses)
    #expect(abs((found?.difference ?? 0) - 14) < 2)
    #expect(found?.quietest == 0 && found?.loudest == 1)
  }

  @Test func curvesAddUpAndCountFromTheirOrigin() {
    let first = GainCurve([.init(position: 0, decibels: 0), .init(position: 100, decibels: 10)])
    let second = GainCurve([.init(position: 50, decibels: -3), .init(position: 60, decibels: -96)])
    let sum = first + second
    #expect(sum.decibels(at: 0) == -3)
    #expect(sum.decibels(at: 50) == 2)
    #expect(sum.decibels(at: 100) == GainCurve.silence)
    #expect(first.moved(by: 10).decibels(at: 60) == 5)
    #expect(GainCurve().decibels(at: 5) == 0)
  }

  @Test func soundAtZeroDecibelsStaysAsItIs() {
    var random = SplitMix64(seed: 207)
    let block = (0..<4096).map { _ in Float.random(in: -1...1, using: &random) }
    var mix = [Float](repeating: 0, count: 4096)
    var follower = GainCurve.Follower(GainCurve(constant: 0), origin: 7)
    follower.add(block, to: &mix, from: 0, at: 0)
    #expect(mix == block)
  }

  @Test func duckingIsDownWhilePeopleSpeak() {
    let speaking = [
      TimeInterval(start: MediaTime(seconds: 10), end: MediaTime(seconds: 12)),
      TimeInterval(start: MediaTime(seconds: 13), end: MediaTime(seconds: 14)),
    ]
    let curve = Ducking.curve(under: speaking, decibels: -12, start: MediaTime(seconds: 2))
    let gain = { (second: Double) in curve.decibels(at: Int64(second * 48_000)) }
    #expect(gain(7) == 0 && gain(8) == -12 && gain(10.5) == -12 && gain(12) == -12 && gain(14) == 0)
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
