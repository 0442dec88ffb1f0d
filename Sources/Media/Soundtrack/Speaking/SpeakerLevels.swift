import Glibc
import TesseraTimeline

/// The levels of all voices side by side on the timeline, and when each speaks.
struct SpeakerLevels {
  /// For each voice the level of every step, as in ``VoiceAnalysis/levels``; 0 where it is absent.
  private(set) var levels: [[UInt8]]
  /// For each voice whether it speaks in every step.
  private(set) var speech: [[Bool]]
  /// For each voice whether only others are heard in it in every step.
  private(set) var bleed: [[Bool]]

  private static let step = 20_000_000 as Int64
  /// What is below both, in codes of half a decibel, is not speech that anyone notices: -50 LUFS,
  /// and 30 dB below the loudest voice.
  private static let (faint, faintDistance) = (140, 60)
  /// Steps before an onset that are looked at: 1 s.
  private static let window = 50

  init(_ tracks: [ActiveSpeaker.Track], voiceCount: Int, count: Int) {
    levels = Array(repeating: Array(repeating: 0, count: count), count: voiceCount)
    speech = Array(repeating: Array(repeating: false, count: count), count: voiceCount)
    bleed = speech
    for track in tracks where levels.indices.contains(track.voice) { add(track, count) }
  }

  private mutating func add(_ track: ActiveSpeaker.Track, _ count: Int) {
    let shift = Int(((track.start.nanoseconds + Self.step / 2) / Self.step))
    let heard = track.interval.map {
      Int($0.start.nanoseconds / Self.step)..<Int($0.end.nanoseconds / Self.step)
    }
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

  /// Takes for silent what is only the sound of another voice.
  mutating func rejectBleed() {
    let voices = Bleed(levels: levels, speech: speech)
    for voice in levels.indices {
      let own = voices.own(of: voice)
      for step in own.indices { bleed[voice][step] = speech[voice][step] && !own[step] }
      speech[voice] = own
    }
  }

  /// Takes for silent what hardly sounds beside the loudest voice: the noises of a microphone that
  /// is off.
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

  /// The code of the mean power in `steps`.
  private func level(of voice: Int, in steps: Range<Int>) -> Int {
    let power = steps.reduce(0) { $0 + LevelCode.powers[Int(levels[voice][$1])] }
    return Int(LevelCode.code(10 * log10(power / Double(steps.count))))
  }

  // MARK: - Interjections

  /// Takes for silent what a voice says within fewer than `count` steps while another one speaks.
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

  /// The beginning of what `voice` says around step `step`: the last one before it where it speaks
  /// then, at most a second, else the next one; nil where there is none.
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
