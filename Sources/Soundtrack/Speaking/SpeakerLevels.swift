import TesseraTimeline

/// The levels of all voices side by side on the timeline, and when each speaks.
struct SpeakerLevels {
  /// For each voice the level of every step, as in ``VoiceAnalysis/levels``; 0 where it is absent.
  private(set) var levels: [[UInt8]]
  /// For each voice whether it speaks in every step.
  private(set) var speech: [[Bool]]

  private static let step = 20_000_000 as Int64
  /// A copy of another voice is quieter by at least that many half decibels.
  private static let bleedDistance = 12
  /// Steps by which a copy is late at most: 500 ms.
  private static let latestBleed = 25
  /// How alike the levels of a copy are.
  private static let likeness = 0.7
  /// Steps that are compared at a time: 1 s.
  private static let window = 50

  init(_ tracks: [ActiveSpeaker.Track], voiceCount: Int, count: Int) {
    levels = Array(repeating: Array(repeating: 0, count: count), count: voiceCount)
    speech = Array(repeating: Array(repeating: false, count: count), count: voiceCount)
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

  // MARK: - Bleed

  /// Takes for silent what is only the sound of another voice: later, quieter, and alike.
  mutating func rejectBleed() {
    let original = speech
    for voice in levels.indices {
      for run in SpeechDetector.runs(of: true, in: original[voice]) {
        for start in stride(from: run.lowerBound, to: run.upperBound, by: Self.window) {
          let end = min(run.upperBound, start + Self.window)
          // A short rest is judged with what comes before it.
          let judged = max(run.lowerBound, min(start, end - Self.window))..<end
          let isBleed = levels.indices.contains { other in
            other != voice && isCopy(voice, of: other, judged, original[other])
          }
          if isBleed { for index in start..<end { speech[voice][index] = false } }
        }
      }
    }
  }

  private func isCopy(
    _ voice: Int, of other: Int, _ steps: Range<Int>, _ otherSpeech: [Bool]
  ) -> Bool {
    let speaking = steps.reduce(0) { $0 + (otherSpeech[$1] ? 1 : 0) }
    guard speaking * 2 > steps.count, mean(other, steps) - mean(voice, steps) >= Self.bleedDistance
    else { return false }
    return (0...Self.latestBleed).contains { delay in
      guard steps.lowerBound >= delay else { return false }
      return correlation(voice, other, steps, delay) > Self.likeness
    }
  }

  private func mean(_ voice: Int, _ steps: Range<Int>) -> Int {
    steps.reduce(0) { $0 + Int(levels[voice][$1]) } / max(1, steps.count)
  }

  private func correlation(_ a: Int, _ b: Int, _ steps: Range<Int>, _ delay: Int) -> Double {
    var (sumA, sumB, squareA, squareB, product) = (0, 0, 0, 0, 0)
    for index in steps {
      let (x, y) = (Int(levels[a][index]), Int(levels[b][index - delay]))
      sumA += x
      sumB += y
      squareA += x * x
      squareB += y * y
      product += x * y
    }
    let count = Double(steps.count)
    let covariance = Double(product) - Double(sumA) * Double(sumB) / count
    let spreadA = Double(squareA) - Double(sumA) * Double(sumA) / count
    let spreadB = Double(squareB) - Double(sumB) * Double(sumB) / count
    guard spreadA > count, spreadB > count else { return 0 }
    return covariance / (spreadA * spreadB).squareRoot()
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
