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

  /// The loudness of its speech under the curve in LUFS; nil where nothing is said.
  private var reached: Double?
  /// Whether it is its noise that holds the gain down.
  private var isNoisy = false

  /// The gain for `target` LUFS.
  init(_ voice: Leveling.Voice, target: Double) {
    guard voice.isSpeech else {
      let gain = voice.analysis.loudness.map { Self.limited(target - $0) } ?? 0
      curve = GainCurve(constant: Float(gain))
      reached = voice.analysis.loudness.map { $0 + gain }
      return
    }
    let sounding = SpeechDetector.speech(in: voice.analysis)
    let speech = voice.said.map { Self.steps(of: voice, in: $0, among: sounding) } ?? sounding
    let powers = Self.blockPowers(voice.analysis)
    guard let mean = Self.gatedPower(powers, speech) else {
      let isOthers = sounding.contains(true)
      curve =
        isOthers
        ? GainCurve(constant: GainCurve.silence) : Self.speechless(voice.analysis, target: target)
      return
    }
    let (loudness, counts) = Self.loudness(powers, speech, mean: 10 * log10(mean))
    let bounds = NoiseBounds(voice.analysis, target: target)
    let points = Self.points(loudness, counts, bounds, target: target)
    let slow = GainCurve(Self.simplified(Self.slowed(points)))
    reached = Self.gatedPower(Self.amplified(powers, slow), speech).map { 10 * log10($0) }
    let noisy = points.count { point in
      point.decibels == Float(bounds.underWords(Int(point.position) / VoiceAnalysis.hop))
    }
    isNoisy = 2 * noisy > points.count
    let runs = SpeechDetector.runs(of: true, in: speech)
    let bleed = Self.steps(of: voice, in: voice.bleed, among: sounding)
    curve = SpeechFades(runs, bleed: SpeechDetector.runs(of: true, in: bleed), bounds).applied(
      to: slow)
  }

  /// What keeps it from `target` LUFS; nil where it comes near.
  func limit(for target: Double) -> Leveling.Limit? {
    guard let reached, abs(reached - target) >= Leveling.tolerance else { return nil }
    return Leveling.Limit(distance: reached - target, isNoise: reached < target && isNoisy)
  }

  /// The steps of the voice's file that lie in `intervals` of the timeline, among those that are
  /// set.
  private static func steps(
    of voice: Leveling.Voice, in intervals: [TimeRange], among flags: [Bool]
  ) -> [Bool] {
    var steps = [Bool](repeating: false, count: flags.count)
    let shift = Int((voice.start.nanoseconds + MixLoudness.step / 2) / MixLoudness.step)
    for interval in intervals {
      let places =
        Int(interval.start.nanoseconds / MixLoudness.step) - shift..<Int(
          interval.end.nanoseconds / MixLoudness.step) - shift
      for index in places.clamped(to: flags.indices) { steps[index] = flags[index] }
    }
    return steps
  }

  /// The powers of steps under `curve`.
  private static func amplified(_ powers: [Double], _ curve: GainCurve) -> [Double] {
    var index = 0
    return powers.enumerated().map { step, power in
      let middle = Int64(step * VoiceAnalysis.hop + VoiceAnalysis.hop / 2)
      return power * pow(10, Double(curve.decibels(at: middle, from: &index)) / 10)
    }
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
    _ loudness: [Double], _ counts: [Bool], _ bounds: NoiseBounds, target: Double
  ) -> [GainCurve.Point] {
    var points: [GainCurve.Point] = []
    for index in stride(from: 0, to: loudness.count, by: spacing) {
      let steps = index..<min(loudness.count, index + spacing)
      // In a pause there is no point: the gain goes straight on to the next word's.
      guard steps.contains(where: { counts[$0] }) else { continue }
      let gain = min(bounds.underWords(index), limited(target - loudness[index]))
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
}
