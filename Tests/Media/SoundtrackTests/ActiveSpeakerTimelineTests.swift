import TesseraSoundtrack
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct ActiveSpeakerTimelineTests {
  /// Returns the share of steps with a single voice of 2 s or more that are attributed to that
  /// voice, without the 0.3 s around changes.
  private static func share(_ speaker: ActiveSpeakerTimeline, _ speaking: [Set<Int>]) -> Double {
    var found = [Int](repeating: -1, count: speaking.count)
    for turn in speaker.turns {
      let first = Int(turn.interval.start.nanoseconds / 20_000_000)
      for step in first..<min(found.count, Int(turn.interval.end.nanoseconds / 20_000_000)) {
        found[step] = turn.voice
      }
    }
    var (right, all, start) = (0, 0, 0)
    for step in 1...speaking.count {
      guard step == speaking.count || speaking[step] != speaking[start] else { continue }
      if speaking[start].count == 1, step - start >= 100, let voice = speaking[start].first {
        for inner in start + 15..<step - 15 {
          all += 1
          right += found[inner] == voice ? 1 : 0
        }
      }
      start = step
    }
    return all == 0 ? 0 : Double(right) / Double(all)
  }

  private static func solve(_ call: Conversation) -> ActiveSpeakerTimeline {
    let tracks = call.analyses.enumerated().map {
      ActiveSpeakerTimeline.VoiceTrack(voice: $0, analysis: $1, start: .zero)
    }
    let duration = MediaTime(nanoseconds: Int64(call.speaking.count) * 20_000_000)
    return ActiveSpeakerTimeline(tracks, voiceCount: call.voices.count, duration: duration)
  }

  @Test(arguments: [UInt64(101), 102, 103])
  func speakersOfACallAreFound(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let loudness = (0..<9).map { _ in Double.random(in: -38 ... -14, using: &random) }
    let call = Conversation(
      loudness: loudness, seconds: 60,
      events: .init(crossTalk: true, coughs: true, bleed: true), using: &random)
    let speaker = Self.solve(call)
    let share = Self.share(speaker, call.speaking)
    #expect(share >= 0.95)
    for turn in speaker.turns.dropLast() {
      #expect(turn.interval.duration >= ActiveSpeakerTimeline.shortestStay)
    }
  }

  @Test func theFloorChangesBeforeTheNewVoiceBegins() {
    var random = SplitMix64(seed: 104)
    let speech = SyntheticSpeech(pitch: 120, using: &random).samples(seconds: 4)
    let silence = [Float](repeating: 0, count: 2 * 48_000 * 5)
    let tracks = [speech + silence, silence + speech].enumerated().map { voice, samples in
      var analyzer = VoiceAnalyzer()
      analyzer.append(samples)
      return ActiveSpeakerTimeline.VoiceTrack(
        voice: voice, analysis: analyzer.finish(), start: .zero)
    }
    let speaker = ActiveSpeakerTimeline(tracks, voiceCount: 2, duration: MediaTime(seconds: 9))
    #expect(speaker.turns.map(\.voice) == [0, 1])
    let change = speaker.turns.last?.interval.start.seconds ?? 0
    let onset = speaker.speaking[1].first?.start.seconds ?? 0
    #expect(abs(onset - 5) < 0.4)
    #expect(abs(onset - change - 0.25) < 0.03)
  }

  @Test func nobodySpeaksInSilence() {
    var analyzer = VoiceAnalyzer()
    analyzer.append([Float](repeating: 0, count: 96_000))
    let track = ActiveSpeakerTimeline.VoiceTrack(
      voice: 0, analysis: analyzer.finish(), start: .zero)
    let speaker = ActiveSpeakerTimeline([track], voiceCount: 1, duration: MediaTime(seconds: 1))
    #expect(speaker.turns.isEmpty && speaker.speaking == [[]])
    #expect(ActiveSpeakerTimeline([], voiceCount: 0, duration: .zero).turns.isEmpty)
  }

  /// A muted microphone has its own noise and picks up the others faintly.
  @Test(arguments: [-30.0, -45]) func nearlySilentMicrophonesDoNotSpeak(bleed: Double) {
    var random = SplitMix64(seed: 105)
    var call = Conversation(loudness: [-22, -28, -90], seconds: 40, using: &random)
    call = call.withBleed(milliseconds: 80, decibels: bleed)
    for start in stride(from: 48_000, to: 48_000 * 38, by: 48_000 * 7) {
      for frame in start..<start + 24_000 {
        let noise = Float.random(in: -1.5e-3...1.5e-3, using: &random)
        call.voices[2][2 * frame] += noise
        call.voices[2][2 * frame + 1] += noise
      }
    }
    for step in call.speaking.indices { call.speaking[step].remove(2) }
    let speaker = Self.solve(call)
    #expect(speaker.speaking[2].isEmpty, "\(speaker.speaking[2])")
    #expect(!speaker.turns.contains { $0.voice == 2 })
  }

  /// A person who speaks over others is not taken for their echo.
  @Test(arguments: [UInt64(106)]) func overlappingSpeechIsNotTakenForBleed(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let dry = Conversation(
      loudness: [-20, -26, -30], seconds: 48, events: .init(crossTalk: true, coughs: true),
      using: &random)
    let speaker = Self.solve(dry.withBleed(milliseconds: 80, decibels: -24))
    for voice in dry.voices.indices {
      let said = Self.steps(speaker.said[voice], count: dry.speaking.count)
      let spoken = dry.speaking.indices.filter { dry.speaking[$0].contains(voice) }
      let found = Double(spoken.count { said.contains($0) }) / Double(spoken.count)
      let wrong = said.count { !dry.speaking[max(0, $0 - 25)...$0].contains { $0.contains(voice) } }
      // Speech contains pauses.
      #expect(found > 0.7, "\(voice)")
      #expect(wrong * 50 < said.count, "\(voice)")
    }
  }

  private static func steps(_ intervals: [TimeRange], count: Int) -> Set<Int> {
    Set(
      intervals.flatMap {
        Int($0.start.nanoseconds / 20_000_000)..<min(count, Int($0.end.nanoseconds / 20_000_000))
      })
  }
}
