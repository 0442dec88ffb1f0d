import Glibc
import TesseraTimeline

/// The gain that brings a single voice to a target loudness (see ``VoiceLeveler``).
struct SpeechGain {
  /// The gain curve, from the beginning of the voice's file.
  let curve: GainCurve

  /// The length of a loudness block in steps: 400 ms.
  private static let block = 20
  /// The time constant of the loudness average in steps of speech: its weight falls to 1/e within
  /// 4 s on either side.
  private static let memory = 200.0
  /// The loudest sound without speech that counts as noise, in LUFS.
  private static let loudestIdle = -45.0
  /// The distance below the mean at which blocks are gated, in decibels.
  private static let gate = 10.0
  /// The distance between points of the curve in steps: 0.5 s.
  private static let spacing = 25

  /// The loudness of the voice's speech under the curve in LUFS; `nil` without speech.
  private var reached: Double?
  /// True if noise limits the gain for most of the voice.
  private var isNoisy = false

  /// Computes the gain of `voice` for `target` LUFS.
  init(_ voice: VoiceLeveler.Voice, target: Double) {
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
    let bounds = NoiseGainLimit(voice.analysis, target: target)
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

  /// Returns the reason why the voice misses `target` LUFS; `nil` if it is within
  /// ``VoiceLeveler/tolerance``.
  func limit(for target: Double) -> VoiceLeveler.LimitReason? {
    guard let reached, abs(reached - target) >= VoiceLeveler.tolerance else { return nil }
    return VoiceLeveler.LimitReason(
      distance: reached - target, isNoise: reached < target && isNoisy)
  }

  /// Returns the set steps of `flags` (steps of the voice's file) that are in `intervals` of the
  /// timeline.
  private static func steps(
    of voice: VoiceLeveler.Voice, in intervals: [TimeRange], among flags: [Bool]
  ) -> [Bool] {
    var steps = [Bool](repeating: false, count: flags.count)
    let shift = Int(
      (voice.start.nanoseconds + MixLoudnessPredictor.step / 2) / MixLoudnessPredictor.step)
    for interval in intervals {
      let places = interval.steps.lowerBound - shift..<interval.steps.upperBound - shift
      for index in places.clamped(to: flags.indices) { steps[index] = flags[index] }
    }
    return steps
  }

  /// Returns the powers of steps under `curve`.
  private static func amplified(_ powers: [Double], _ curve: GainCurve) -> [Double] {
    var index = 0
    return powers.enumerated().map { step, power in
      let middle = Int64(step * VoiceAnalysis.hop + VoiceAnalysis.hop / 2)
      return power * pow(10, Double(curve.decibels(at: middle, from: &index)) / 10)
    }
  }

  /// Returns the gated loudness of the speech in `analysis` in LUFS; `nil` without speech.
  static func speechLoudness(of analysis: VoiceAnalysis) -> Double? {
    let speech = SpeechDetector.speech(in: analysis)
    return gatedPower(blockPowers(analysis), speech).map { 10 * log10($0) }
  }

  private static func limited(_ gain: Double) -> Double {
    min(VoiceLeveler.gains.upperBound, max(VoiceLeveler.gains.lowerBound, gain))
  }

  /// Returns the gain of a voice without speech. Noise is muted; loud sound is at most attenuated,
  /// because it may be music.
  private static func speechless(_ analysis: VoiceAnalysis, target: Double) -> GainCurve {
    guard let loudness = analysis.loudness, loudness > loudestIdle else {
      return GainCurve(constant: GainCurve.silence)
    }
    return GainCurve(constant: Float(min(0, limited(target - loudness))))
  }

  // MARK: - Loudness

  /// Returns the mean power of the 400 ms around each step.
  static func blockPowers(_ analysis: VoiceAnalysis) -> [Double] {
    let powers = analysis.levels.map { LevelByteCoding.powers[Int($0)] }
    let sums = powers.runningSums
    return powers.indices.map { index in
      let first = max(0, index - block / 2)
      let last = min(powers.count, index + block / 2)
      return max(0, sums[last] - sums[first]) / Double(block)
    }
  }

  /// Returns the gated mean power of speech: blocks far below the mean are left out. `nil` without
  /// speech.
  private static func gatedPower(_ powers: [Double], _ speech: [Bool]) -> Double? {
    let all = speech.indices.filter { speech[$0] }.map { powers[$0] }
    guard !all.isEmpty else { return nil }
    let threshold = all.reduce(0, +) / Double(all.count) * pow(10, -gate / 10)
    let loud = all.filter { $0 > threshold }
    return loud.isEmpty ? nil : loud.reduce(0, +) / Double(loud.count)
  }

  /// Returns the loudness of the speech around each step in LUFS, and which steps count. Steps far
  /// below the speech around them do not count.
  private static func loudness(
    _ powers: [Double], _ speech: [Bool], mean: Double
  ) -> (loudness: [Double], counts: [Bool]) {
    let levels = powers.map { 10 * log10(max(1e-12, $0)) }
    let rough = averaged(levels, speech, mean: mean)
    let counts = speech.indices.map { speech[$0] && levels[$0] > rough[$0] - gate }
    let fine = averaged(levels, counts, mean: mean)
    // The mean of decibels is below the decibels of the mean power by a constant.
    let counted = counts.indices.filter { counts[$0] }
    guard !counted.isEmpty else { return (fine, counts) }
    let ratio = counted.reduce(0) { $0 + pow(10, (levels[$1] - fine[$1]) / 10) }
    let offset = 10 * log10(ratio / Double(counted.count))
    return (fine.map { $0 + offset }, counts)
  }

  /// Returns the mean level of the steps that count around each step, weighted by an exponential
  /// decay.
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

  /// Returns the target gain for each half second that has speech.
  private static func points(
    _ loudness: [Double], _ counts: [Bool], _ bounds: NoiseGainLimit, target: Double
  ) -> [GainCurve.Point] {
    var points: [GainCurve.Point] = []
    for index in stride(from: 0, to: loudness.count, by: spacing) {
      let steps = index..<min(loudness.count, index + spacing)
      // A pause has no point: the gain is interpolated to the next word.
      guard steps.contains(where: { counts[$0] }) else { continue }
      let gain = min(bounds.underWords(index), limited(target - loudness[index]))
      points.append(
        GainCurve.Point(
          position: Int64((index + spacing / 2) * VoiceAnalysis.hop), decibels: Float(gain)))
    }
    return points
  }

  /// Limits the slope between points to ``VoiceLeveler/fastestChange`` by lowering gains.
  private static func slowed(_ points: [GainCurve.Point]) -> [GainCurve.Point] {
    var points = points
    let limit = { (a: GainCurve.Point, b: GainCurve.Point) in
      Float(VoiceLeveler.fastestChange * Double(abs(b.position - a.position)) / 48_000)
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

  /// Removes points that are within a quarter of a decibel of a line.
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
