import TesseraSoundtrack
import TesseraTimeline
import TestSupport
import Testing

@Suite struct ActiveSpeakerTests {
  /// How many of the steps in which exactly one voice has spoken for 2 s and more are given to it,
  /// the 0.3 s around changes left out.
  private static func share(_ speaker: ActiveSpeaker, _ speaking: [Set<Int>]) -> Double {
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

  private static func solve(_ call: Conversation) -> ActiveSpeaker {
    let tracks = call.analyses.enumerated().map {
      ActiveSpeaker.Track(voice: $0, analysis: $1, start: .zero)
    }
    let duration = MediaTime(nanoseconds: Int64(call.speaking.count) * 20_000_000)
    return ActiveSpeaker(tracks, voiceCount: call.voices.count, duration: duration)
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
      #expect(turn.interval.duration >= ActiveSpeaker.shortestStay)
    }
  }

  @Test func theFloorChangesBeforeTheNewVoiceBegins() {
    var random = SplitMix64(seed: 104)
    let speech = SyntheticSpeech(pitch: 120, using: &random).samples(seconds: 4)
    let silence = [Float](repeating: 0, count: 2 * 48_000 * 5)
    let tracks = [speech + silence, silence + speech].enumerated().map { voice, samples in
      var analyzer = VoiceAnalyzer()
      analyzer.append(samples)
      return ActiveSpeaker.Track(voice: voice, analysis: analyzer.finish(), start: .zero)
    }
    let speaker = ActiveSpeaker(tracks, voiceCount: 2, duration: MediaTime(seconds: 9))
    #expect(speaker.turns.map(\.voice) == [0, 1])
    let change = speaker.turns.last?.interval.start.seconds ?? 0
    let onset = speaker.speaking[1].first?.start.seconds ?? 0
    #expect(abs(onset - 5) < 0.4)
    #expect(abs(onset - change - 0.25) < 0.03)
  }

  @Test func nobodySpeaksInSilence() {
    var analyzer = VoiceAnalyzer()
    analyzer.append([Float](repeating: 0, count: 96_000))
    let track = ActiveSpeaker.Track(voice: 0, analysis: analyzer.finish(), start: .zero)
    let speaker = ActiveSpeaker([track], voiceCount: 1, duration: MediaTime(seconds: 1))
    #expect(speaker.turns.isEmpty && speaker.speaking == [[]])
    #expect(ActiveSpeaker([], voiceCount: 0, duration: .zero).turns.isEmpty)
  }

  @Test func turnsAsWebVTT() {
    let turn = ActiveSpeaker.Turn(
      voice: 0,
      interval: TimeInterval(
        start: MediaTime(nanoseconds: 3_661_050_000_000), end: MediaTime(seconds: 3663)))
    var speaker = ActiveSpeaker([], voiceCount: 1, duration: .zero)
    speaker.turns = [turn]
    #expect(
      speaker.webVTT(names: ["A <b> & C\nD"])
        == "WEBVTT\n\n01:01:01.050 --> 01:01:03.000\n<v A &lt;b&gt; &amp; C D>A &lt;b&gt; &amp; C D\n"
    )
  }
}
