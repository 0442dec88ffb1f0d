import TesseraTimeline

/// Finds what of a voice is only the sound of the others: later, quieter, and alike.
///
/// From each voice to each microphone sound takes the same time for long, over a loudspeaker or
/// through a room. First the delays are found at which many seconds of both are alike; then what of
/// a voice is no louder than what comes over these ways, or follows it, is not its own.
struct Bleed {
  private let levels: [[UInt8]]
  private let speech: [[Bool]]

  /// A copy of another voice is quieter by at least that many half decibels.
  private static let distance = 12
  /// Steps by which a copy is late at most: 500 ms.
  private static let latest = 25
  /// How alike the levels of a copy are.
  private static let likeness = 0.7
  /// Steps that are compared at a time: 1 s.
  private static let window = 50
  /// So few seconds may be alike by chance, and so small a part of them.
  private static let (leastWindows, leastPart) = (2, 0.25)
  /// Half decibels by which a voice stands out from what comes from others.
  private static let margin = 12
  /// Half decibels by which what comes from others falls in a step: a room's echo lasts 0.8 s.
  private static let fall = 3
  /// The loud parts of a window are within that many half decibels of its loudest step.
  private static let loudRange = 20

  /// How another voice comes to a microphone.
  private struct Path {
    var other: Int
    /// In steps, each to one step.
    var delays: [Int]
    /// In half decibels.
    var attenuation: Int
  }

  /// What several voices have in common, from their levels, and when each seems to speak.
  init(levels: [[UInt8]], speech: [[Bool]]) { (self.levels, self.speech) = (levels, speech) }

  /// When `voice` itself speaks.
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

  /// The seconds in which `voice` seems to speak. A short rest is judged with what comes before it.
  private func windows(of voice: Int) -> [(steps: Range<Int>, judged: Range<Int>)] {
    SpeechDetector.runs(of: true, in: speech[voice]).flatMap { run in
      stride(from: run.lowerBound, to: run.upperBound, by: Self.window).map { start in
        let end = min(run.upperBound, start + Self.window)
        return (start..<end, max(run.lowerBound, min(start, end - Self.window))..<end)
      }
    }
  }

  // MARK: - Ways

  private func path(
    from other: Int, to voice: Int, _ windows: [(steps: Range<Int>, judged: Range<Int>)]
  ) -> Path? {
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
    return Path(other: other, delays: delays, attenuation: attenuations[attenuations.count / 2])
  }

  /// Whether `other` speaks in most of `steps`, clearly louder than `voice` is.
  private func isLouder(_ other: Int, than voice: Int, _ steps: Range<Int>) -> Bool {
    let speaking = steps.reduce(0) { $0 + (speech[other][$1] ? 1 : 0) }
    return speaking * 2 > steps.count && mean(other, steps) - mean(voice, steps) >= Self.distance
  }

  private func isCopy(_ voice: Int, of path: Path, _ steps: Range<Int>) -> Bool {
    isLouder(path.other, than: voice, steps)
      && path.delays.contains { correlation(voice, path.other, steps, $0) > Self.likeness }
  }

  private func mean(_ voice: Int, _ steps: Range<Int>) -> Int {
    steps.reduce(0) { $0 + Int(levels[voice][$1]) } / max(1, steps.count)
  }

  /// How much quieter the loud parts of `other` are in `voice`.
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

  /// The levels that come over `paths`.
  private func expected(_ paths: [Path], count: Int) -> [Int] {
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
