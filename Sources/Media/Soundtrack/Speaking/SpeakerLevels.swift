import Glibc
import TesseraTimeline

/// The levels and the detected speech of all voices on a common timeline.
struct SpeakerLevels {
  /// The level of each voice in each step, as in ``VoiceAnalysis/levels``; 0 while the voice is
  /// absent.
  private(set) var levels: [[UInt8]]
  /// The speech of each voice: true for the steps in which it speaks.
  private(set) var speech: [[Bool]]
  /// The bleed in each voice: true for the steps in which only others are heard.
  private(set) var bleed: [[Bool]]

  private static let step = MixLoudnessPredictor.step
  /// The thresholds of unnoticed speech, in codes of half a decibel. Speech below both (-50 LUFS
  /// and 30 dB below the loudest voice) is dropped.
  private static let (faint, faintDistance) = (140, 60)
  /// The number of steps before an onset that are searched: 1 s.
  private static let window = 50

  init(_ tracks: [ActiveSpeakerTimeline.VoiceTrack], voiceCount: Int, count: Int) {
    levels = Array(repeating: Array(repeating: 0, count: count), count: voiceCount)
    speech = Array(repeating: Array(repeating: false, count: count), count: voiceCount)
    bleed = speech
    for track in tracks where levels.indices.contains(track.voice) { add(track, count) }
  }

  private mutating func add(_ track: ActiveSpeakerTimeline.VoiceTrack, _ count: Int) {
    let shift = Int(((track.start.nanoseconds + Self.step / 2) / Self.step))
    let heard = track.interval?.steps
    let isSpeech = SpeechDetector.speech(in: track.analysis)
    for index in isSpeech.indices {
      let place = index + shift
      guard place >= 0, place < count, heard?.contains(place) ?? true else { continue }
      let level = track.analysis.levels[index]
      levels[track.voice][place] = max(levels[track.voice][place], level)
      if isSpeech[index] { speech[track.voice][place] = true }
    }
  }

  // MARK: - What is not speech

  /// Removes from ``speech`` the steps in which a voice only picks up others (see
  /// ``BleedDetector``).
  mutating func rejectBleed() {
    let voices = BleedDetector(levels: levels, speech: speech)
    for voice in levels.indices {
      let own = voices.own(of: voice)
      for step in own.indices { bleed[voice][step] = speech[voice][step] && !own[step] }
      speech[voice] = own
    }
  }

  /// Removes speech that is far below the loudest voice, such as the noises of a muted microphone.
  mutating func dropFaint() {
    let runs = speech.map { SpeechDetector.runs(of: true, in: $0) }
    let loudness = runs.indices.map { voice in runs[voice].map { level(of: voice, in: $0) } }
    let loudest = loudness.flatMap(\.self).max() ?? 0
    let least = min(Self.faint, loudest - Self.faintDistance)
    for voice in runs.indices {
      for (run, level) in zip(runs[voice], loudness[voice]) where level < least {
        for step in run { speech[voice][step] = false }
      }
    }
  }

  /// Returns the level code of the mean power of `voice` in `steps`.
  private func level(of voice: Int, in steps: Range<Int>) -> Int {
    let power = steps.reduce(0) { $0 + LevelByteCoding.powers[Int(levels[voice][$1])] }
    return Int(LevelByteCoding.code(10 * log10(power / Double(steps.count))))
  }

  // MARK: - Interjections

  /// Removes speech shorter than `count` steps during which another voice speaks.
  mutating func dropInterjections(shorterThan count: Int) {
    let original = speech
    for voice in speech.indices {
      for run in SpeechDetector.runs(of: true, in: original[voice]) where run.count < count {
        let around = max(0, run.lowerBound - 25)..<min(original[voice].count, run.upperBound + 25)
        let isWhileAnother = speech.indices.contains { other in
          other != voice
            && around.reduce(0) { $0 + (original[other][$1] ? 1 : 0) } * 2 > around.count
        }
        if isWhileAnother { for index in run { speech[voice][index] = false } }
      }
    }
  }

  /// Returns the step at which the speech of `voice` around `step` begins.
  ///
  /// If the voice speaks in `step`, the search goes back by at most a second; otherwise the next
  /// speech counts. `nil` if there is none.
  func onset(of voice: Int, near step: Int) -> Int? {
    let flags = speech[voice]
    guard !flags.isEmpty else { return nil }
    var index = min(max(0, step), flags.count - 1)
    if flags[index] {
      while index > 0, index > step - Self.window, flags[index - 1] { index -= 1 }
      return index
    }
    while index < flags.count, !flags[index] { index += 1 }
    return index < flags.count ? index : nil
  }
}
