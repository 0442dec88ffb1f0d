import Glibc
import TesseraTimeline

/// The gain that brings one voice to a loudness.
struct SpeechGain {
  /// The result, counted from the beginning of the voice's file.
  let curve: GainCurve

  /// Steps of a block: 400 ms.
  private static let block = 20
  /// Steps of speech over which the loudness is averaged on either side: the weight falls to 1/e
  /// within 4 s.
  private static let memory = 200.0
  /// What is not speech and below that many LUFS is taken for noise.
  private static let loudestIdle = -45.0
  /// Blocks that many decibels below the mean do not count.
  private static let gate = 10.0
  /// Steps between the points of the curve: 0.5 s.
  private static let spacing = 25
  /// Samples that a fade lasts (50 ms), before which it opens (150 ms), and after which it closes
  /// (2 s).
  private static let (fade, opening, closing) = (2400 as Int64, 7200 as Int64, 96_000 as Int64)

  /// The gain for `target` LUFS.
  init(_ voice: Leveling.Voice, target: Double) {
    guard voice.isSpeech else {
      let gain = voice.analysis.loudness.map { Self.limited(target - $0) } ?? 0
      curve = GainCurve(constant: Float(gain))
      return
    }
    let speech = SpeechDetector.speech(in: voice.analysis)
    let powers = Self.blockPowers(voice.analysis)
    guard let mean = Self.gatedPower(powers, speech) else {
      curve = Self.speechless(voice.analysis, target: target)
      return
    }
    let (loudness, counts) = Self.loudness(powers, speech, mean: 10 * log10(mean))
    let points = Self.points(voice.analysis, loudness, counts, target: target)
    let slow = GainCurve(Self.simplified(Self.slowed(points)))
    curve = Self.faded(slow, speech: SpeechDetector.runs(of: true, in: speech))
  }

  /// The gated loudness of what is said in `analysis` in LUFS; nil where nothing is.
  static func speechLoudness(of analysis: VoiceAnalysis) -> Double? {
    let speech = SpeechDetector.speech(in: analysis)
    return gatedPower(blockPowers(analysis), speech).map { 10 * log10($0) }
  }

  private static func limited(_ gain: Double) -> Double {
    min(Leveling.gains.upperBound, max(Leveling.gains.lowerBound, gain))
  }

  /// The gain of a voice that says nothing: noise is silenced, what is loud is at most turned down,
  /// for it may be music.
  private static func speechless(_ analysis: VoiceAnalysis, target: Double) -> GainCurve {
    guard let loudness = analysis.loudness, loudness > loudestIdle else {
      return GainCurve(constant: GainCurve.silence)
    }
    return GainCurve(constant: Float(min(0, limited(target - loudness))))
  }

  // MARK: - Loudness

  /// The mean power of the 400 ms around every step.
  static func blockPowers(_ analysis: VoiceAnalysis) -> [Double] {
    let powers = analysis.levels.map { LevelCode.powers[Int($0)] }
    var sums = [0.0]
    sums.reserveCapacity(powers.count + 1)
    for power in powers { sums.append(sums[sums.count - 1] + power) }
    return powers.indices.map { index in
      let first = max(0, index - block / 2)
      let last = min(powers.count, index + block / 2)
      return max(0, sums[last] - sums[first]) / Double(block)
    }
  }

  /// The mean of the blocks of speech, those far below it left out; nil without speech.
  private static func gatedPower(_ powers: [Double], _ speech: [Bool]) -> Double? {
    let all = speech.indices.filter { speech[$0] }.map { powers[$0] }
    guard !all.isEmpty else { return nil }
    let threshold = all.reduce(0, +) / Double(all.count) * pow(10, -gate / 10)
    let loud = all.filter { $0 > threshold }
    return loud.isEmpty ? nil : loud.reduce(0, +) / Double(loud.count)
  }

  /// The loudness in LUFS of the speech around every step, and which steps are speech that counts:
  /// what is far below the speech around it does not.
  private static func loudness(
    _ powers: [Double], _ speech: [Bool], mean: Double
  ) -> (loudness: [Double], counts: [Bool]) {
    let levels = powers.map { 10 * log10(max(1e-12, $0)) }
    let rough = averaged(levels, speech, mean: mean)
    let counts = speech.indices.map { speech[$0] && levels[$0] > rough[$0] - gate }
    let fine = averaged(levels, counts, mean: mean)
    // The mean of decibels is below the decibels of the mean power, everywhere by the same.
    let counted = counts.indices.filter { counts[$0] }
    guard !counted.isEmpty else { return (fine, counts) }
    let ratio = counted.reduce(0) { $0 + pow(10, (levels[$1] - fine[$1]) / 10) }
    let offset = 10 * log10(ratio / Double(counted.count))
    return (fine.map { $0 + offset }, counts)
  }

  /// The mean level of what counts before and after every step, the nearer the more.
  private static func averaged(
    _ levels: [Double], _ counts: [Bool], mean: Double
  ) -> [Double] {
    let keep = exp(-1 / memory)
    var sums = [Double](repeating: 0, count: levels.count)
    var weights = sums
    for isForward in [true, false] {
      var (sum, weight) = (mean, 1.0)
      let order = isForward ? Array(levels.indices) : levels.indices.reversed()
      for index in order {
        if counts[index] {
          sum = sum * keep + levels[index]
          weight = weight * keep + 1
        }
        sums[index] += sum
        weights[index] += weight
      }
    }
    return sums.indices.map { sums[$0] / weights[$0] }
  }

  // MARK: - The curve

  private static func points(
    _ analysis: VoiceAnalysis, _ loudness: [Double], _ counts: [Bool], target: Double
  ) -> [GainCurve.Point] {
    var points: [GainCurve.Point] = []
    for index in stride(from: 0, to: loudness.count, by: spacing) {
      let steps = index..<min(loudness.count, index + spacing)
      // In a pause there is no point: the gain goes straight on to the next word's.
      guard steps.contains(where: { counts[$0] }) else { continue }
      let floor = LevelCode.decibels(analysis.noiseFloors[index / VoiceAnalysis.hopsPerSecond])
      let allowed = max(0, Leveling.loudestNoise - floor)
      let gain = min(allowed, limited(target - loudness[index]))
      points.append(
        GainCurve.Point(
          position: Int64((index + spacing / 2) * VoiceAnalysis.hop), decibels: Float(gain)))
    }
    return points
  }

  /// The points held so close together that the gain moves slowly.
  private static func slowed(_ points: [GainCurve.Point]) -> [GainCurve.Point] {
    var points = points
    let limit = { (a: GainCurve.Point, b: GainCurve.Point) in
      Float(Leveling.fastestChange * Double(abs(b.position - a.position)) / 48_000)
    }
    for index in points.indices.dropFirst() {
      let most = points[index - 1].decibels + limit(points[index - 1], points[index])
      points[index].decibels = min(points[index].decibels, most)
    }
    for index in points.indices.dropLast().reversed() {
      let most = points[index + 1].decibels + limit(points[index], points[index + 1])
      points[index].decibels = min(points[index].decibels, most)
    }
    return points
  }

  /// The points without those that lie within a quarter of a decibel of a line.
  private static func simplified(_ points: [GainCurve.Point]) -> [GainCurve.Point] {
    guard var last = points.first else { return [] }
    var result = [last]
    var (low, high) = (-Float.infinity, Float.infinity)
    var previous = last
    for point in points.dropFirst() {
      let distance = Float(point.position - last.position)
      let slope = (point.decibels - last.decibels) / distance
      if slope < low || slope > high {
        last = previous
        result.append(last)
        (low, high) = (-Float.infinity, Float.infinity)
      }
      let length = Float(max(1, point.position - last.position))
      low = max(low, (point.decibels - 0.25 - last.decibels) / length)
      high = min(high, (point.decibels + 0.25 - last.decibels) / length)
      previous = point
    }
    if previous.position > last.position { result.append(previous) }
    return result
  }

  /// The curve with silence where nothing is said for a while.
  private static func faded(_ curve: GainCurve, speech: [Range<Int>]) -> GainCurve {
    var open: [Range<Int64>] = []
    for run in speech {
      let start = Int64(run.lowerBound * VoiceAnalysis.hop) - opening
      let end = Int64(run.upperBound * VoiceAnalysis.hop) + closing
      if let last = open.last, start - fade <= last.upperBound + fade {
        open[open.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else {
        open.append(start..<end)
      }
    }
    var points: [GainCurve.Point] = []
    var rest = curve.points[...]
    for range in open {
      let level = { (position: Int64) in
        GainCurve.Point(position: position, decibels: curve.decibels(at: position))
      }
      let silent = { (position: Int64) in
        GainCurve.Point(position: position, decibels: GainCurve.silence)
      }
      rest = rest.drop { $0.position <= range.lowerBound }
      let inside = rest.prefix { $0.position < range.upperBound }
      points += [silent(range.lowerBound - fade), level(range.lowerBound)]
      points += inside
      points += [level(range.upperBound), silent(range.upperBound + fade)]
    }
    return GainCurve(points)
  }
}
