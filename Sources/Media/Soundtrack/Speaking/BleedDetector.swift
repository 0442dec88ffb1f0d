import TesseraTimeline

/// Detects bleed: the parts of a voice that are only other voices, picked up later, quieter and
/// alike.
///
/// The path from a voice to a microphone, over a loudspeaker or through a room, has a constant
/// delay for a long time. The first step finds the delays at which many seconds of two voices are
/// alike. The second step rejects speech that is no louder than the expected bleed, or that follows
/// it.
struct BleedDetector {
  /// The level of each voice in each step, as in ``SpeakerLevels/levels``.
  private let levels: [[UInt8]]
  /// The detected speech of each voice in each step.
  private let speech: [[Bool]]

  /// The least level difference of a copy from the other voice, in half decibels.
  private static let distance = 12
  /// The largest delay of a copy, in steps: 500 ms.
  private static let latest = 25
  /// The least correlation between the levels of a copy and its source.
  private static let likeness = 0.7
  /// The number of steps compared at a time: 1 s.
  private static let window = 50
  /// The least number of seconds that are alike, and their least share; fewer may be alike by
  /// chance.
  private static let (leastWindows, leastPart) = (2, 0.25)
  /// The level by which own speech exceeds the expected bleed, in half decibels.
  private static let margin = 12
  /// The decay of expected bleed per step, in half decibels: a room's reverberation lasts 0.8 s.
  private static let fall = 3
  /// The range of a window's loud steps below its loudest step, in half decibels.
  private static let loudRange = 20

  /// The acoustic path from another voice to a microphone.
  private struct AcousticPath {
    /// The index of the other voice.
    var other: Int
    /// The delays of the path in steps, each within one step.
    var delays: [Int]
    /// The attenuation in half decibels.
    var attenuation: Int
  }

  /// Creates a detector from the levels and the detected speech of several voices.
  init(levels: [[UInt8]], speech: [[Bool]]) { (self.levels, self.speech) = (levels, speech) }

  /// Returns the steps in which `voice` itself speaks.
  func own(of voice: Int) -> [Bool] {
    let windows = windows(of: voice)
    let paths = levels.indices.compactMap { other in
      other == voice ? nil : path(from: other, to: voice, windows)
    }
    guard !paths.isEmpty else { return speech[voice] }
    var own = speech[voice]
    let expected = expected(paths, count: own.count)
    for step in own.indices where own[step] {
      own[step] = Int(levels[voice][step]) > expected[step] + Self.margin
    }
    own = SpeechDetector.smoothed(own)
    for window in windows where paths.contains(where: { isCopy(voice, of: $0, window.judged) }) {
      for step in window.steps { own[step] = false }
    }
    return own
  }

  /// Divides the speech of `voice` into windows of a second. A short remainder is judged together
  /// with the steps before it.
  private func windows(of voice: Int) -> [(steps: Range<Int>, judged: Range<Int>)] {
    SpeechDetector.runs(of: true, in: speech[voice]).flatMap { run in
      stride(from: run.lowerBound, to: run.upperBound, by: Self.window).map { start in
        let end = min(run.upperBound, start + Self.window)
        return (start..<end, max(run.lowerBound, min(start, end - Self.window))..<end)
      }
    }
  }

  // MARK: - Ways

  /// Finds the path from `other` to `voice`; `nil` if their levels are not alike.
  private func path(
    from other: Int, to voice: Int, _ windows: [(steps: Range<Int>, judged: Range<Int>)]
  ) -> AcousticPath? {
    var counts = [Int](repeating: 0, count: Self.latest + 1)
    var attenuations: [Int] = []
    var candidates = 0
    for (_, steps) in windows where isLouder(other, than: voice, steps) {
      candidates += 1
      let found = (0...Self.latest).map { correlation(voice, other, steps, $0) }
      guard let delay = found.indices.max(by: { found[$0] < found[$1] }),
        found[delay] > Self.likeness
      else { continue }
      counts[delay] += 1
      attenuations.append(attenuation(voice, other, steps, delay))
    }
    let least = max(Self.leastWindows, Int(saturating: Self.leastPart * Double(candidates)))
    let delays = counts.indices.filter { delay in
      counts[max(0, delay - 1)...min(Self.latest, delay + 1)].reduce(0, +) >= least
    }
    guard !delays.isEmpty else { return nil }
    attenuations.sort()
    return AcousticPath(
      other: other, delays: delays, attenuation: attenuations[attenuations.count / 2])
  }

  /// True if `other` speaks in most of `steps` and is clearly louder than `voice`.
  private func isLouder(_ other: Int, than voice: Int, _ steps: Range<Int>) -> Bool {
    let speaking = steps.reduce(0) { $0 + (speech[other][$1] ? 1 : 0) }
    return speaking * 2 > steps.count && mean(other, steps) - mean(voice, steps) >= Self.distance
  }

  /// True if `voice` in `steps` is a copy of the source of `path`.
  private func isCopy(_ voice: Int, of path: AcousticPath, _ steps: Range<Int>) -> Bool {
    isLouder(path.other, than: voice, steps)
      && path.delays.contains { correlation(voice, path.other, steps, $0) > Self.likeness }
  }

  /// Returns the mean level of `voice` in `steps`, in half decibels.
  private func mean(_ voice: Int, _ steps: Range<Int>) -> Int {
    steps.reduce(0) { $0 + Int(levels[voice][$1]) } / max(1, steps.count)
  }

  /// Returns the attenuation of the loud parts of `other` in `voice`, in half decibels.
  private func attenuation(
    _ voice: Int, _ other: Int, _ steps: Range<Int>, _ delay: Int
  ) -> Int {
    let pairs = steps.compactMap { step in
      step >= delay ? (Int(levels[voice][step]), Int(levels[other][step - delay])) : nil
    }
    let loud = (pairs.map(\.1).max() ?? 0) - Self.loudRange
    let differences = pairs.filter { $0.1 >= loud }.map { $0.1 - $0.0 }
    return differences.reduce(0, +) / max(1, differences.count)
  }

  /// Returns the highest level of bleed over `paths` in each step.
  private func expected(_ paths: [AcousticPath], count: Int) -> [Int] {
    var expected = [Int](repeating: 0, count: count)
    for path in paths {
      for delay in path.delays {
        for step in delay..<max(delay, count) {
          let level = Int(levels[path.other][step - delay]) - path.attenuation
          expected[step] = max(expected[step], level)
        }
      }
    }
    for step in expected.indices.dropFirst() {
      expected[step] = max(expected[step], expected[step - 1] - Self.fall)
    }
    return expected
  }

  /// Returns the correlation between the levels of two voices, the second delayed by `delay` steps;
  /// 0 if either hardly varies.
  private func correlation(_ a: Int, _ b: Int, _ steps: Range<Int>, _ delay: Int) -> Double {
    guard steps.lowerBound >= delay else { return 0 }
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
}
