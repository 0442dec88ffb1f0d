import Foundation
import TesseraSoundtrack
import TesseraTimeline
import TestSupport

/// A simulated call: the sound of every voice and the true speakers.
struct Conversation {
  /// Interleaved 48 kHz stereo for each voice.
  var voices: [[Float]]
  /// The speakers in every step of 20 ms.
  var speaking: [Set<Int>]

  /// Events besides turn-taking.
  struct Events {
    /// The next speaker starts before the current one has ended.
    var crossTalk = false
    /// Short noises of other people during speech.
    var coughs = false
    /// All voices are in the others' microphones, 30 ms later and 20 dB quieter.
    var bleed = false
  }

  /// Creates `seconds` of a call of voices with these loudnesses in LUFS, over noise at -80 dBFS.
  init(
    loudness: [Double], seconds: Int, events: Events = Events(), using random: inout SplitMix64
  ) {
    let count = 48_000 * seconds
    let clips = loudness.indices.map { index in
      let gain = Float(pow(10, (loudness[index] + 20) / 20))
      return Self.clips[index % Self.clips.count].map { $0 * gain }
    }
    voices = loudness.map { _ in
      (0..<count).flatMap { _ in
        let noise = Float.random(in: -1.7e-4...1.7e-4, using: &random)
        return [noise, noise]
      }
    }
    speaking = Array(repeating: [], count: count / 960)
    var (position, last) = (Int.random(in: 5_000...48_000, using: &random), -1)
    while position < count {
      var voice = Int.random(in: 0..<loudness.count, using: &random)
      if voice == last { voice = (voice + 1) % loudness.count }
      let length = Int.random(in: 96_000...384_000, using: &random)
      say(clips[voice], by: voice, at: position, length: length, isTurn: true, &random)
      if events.coughs, Bool.random(using: &random) {
        let other =
          (voice + 1 + Int.random(in: 0..<loudness.count - 1, using: &random))
          % loudness.count
        let place = position + Int.random(in: 30_000...length, using: &random)
        let short = Int.random(in: 8_000...28_000, using: &random)
        say(clips[other], by: other, at: place, length: short, isTurn: false, &random)
      }
      last = voice
      let isOverlapping = events.crossTalk && Int.random(in: 0..<3, using: &random) == 0
      position +=
        length + (isOverlapping ? -48_000 : Int.random(in: 5_000...70_000, using: &random))
    }
    if events.bleed { self = withBleed(milliseconds: 30, decibels: -20) }
  }

  /// The speech of each person, without long pauses, at -20 LUFS.
  private static let clips = (0..<6).map { index in
    var random = SplitMix64(seed: UInt64(900 + index))
    let clip = SyntheticSpeech(pitch: 90 + 17 * Double(index), using: &random).samples(seconds: 9)
    var meter = LoudnessMeter()
    meter.add(clip)
    let gain = Float(pow(10, (-20 - (meter.integrated ?? -20)) / 20))
    return clip.map { $0 * gain }
  }

  private mutating func say(
    _ clip: [Float], by voice: Int, at position: Int, length: Int, isTurn: Bool,
    _ random: inout SplitMix64
  ) {
    let end = min(voices[voice].count / 2, position + length)
    guard position < end else { return }
    let start = Int.random(in: 0..<max(1, clip.count / 2 - length), using: &random)
    for frame in position..<end {
      let sample = 2 * (start + frame - position)
      guard sample + 1 < clip.count else { break }
      voices[voice][2 * frame] += clip[sample]
      voices[voice][2 * frame + 1] += clip[sample + 1]
    }
    for step in position / 960..<min(speaking.count, end / 960) { speaking[step].insert(voice) }
  }

  /// Returns the conversation with all voices in the others' microphones, later and quieter.
  func withBleed(milliseconds: Int, decibels: Double) -> Conversation {
    var call = self
    let (delay, factor) = (2 * 48 * milliseconds, Float(pow(10, decibels / 20)))
    for voice in voices.indices {
      for other in voices.indices where other != voice {
        for index in delay..<voices[voice].count {
          call.voices[voice][index] += factor * voices[other][index - delay]
        }
      }
    }
    return call
  }

  /// The analyses of all voices.
  var analyses: [VoiceAnalysis] {
    voices.map { samples in
      var analyzer = VoiceAnalyzer()
      analyzer.append(samples)
      return analyzer.finish()
    }
  }
}
