import Glibc
import TesseraTimeline

extension TimeRange {
  /// The numbers of the steps of the timeline that begin in the range.
  var steps: Range<Int> {
    Int(
      start.nanoseconds / MixLoudnessPredictor.step)..<Int(
        end.nanoseconds / MixLoudnessPredictor.step)
  }
}

/// The loudness of a mix, predicted from the analyses of its voices and from mixing parts of it.
///
/// Uncorrelated voices add up in power. Correlated voices (one heard through another's microphone,
/// or the same recording twice) add up to more or less. So the mix is measured in the windows of
/// which voices overlap in more than a fifth; of more than ``windows`` such windows, in as many,
/// evenly chosen. In the other steps with overlap, the mean ratio of the measured power to the sum
/// of the powers applies.
struct MixLoudnessPredictor {
  /// The duration of a step in nanoseconds.
  static let step = 20_000_000 as Int64
  /// The length of a loudness block and the distance between blocks, in steps: 400 ms with an
  /// overlap of three quarters.
  private static let (block, distance) = (20, 5)
  /// The length of a measured window in steps: 3 s.
  private static let window = 150
  /// The largest number of measured windows: two minutes in total.
  private static let windows = 40

  /// The factor by which the limiter's reduction decays within a step.
  private static let release = exp(-0.02 * Double(Soundtrack.sampleRate) / Double(Limiter.release))

  /// The K-weighted power of each step, as the sum of all voices, as if they were uncorrelated.
  private var powers: [Double]
  /// The power of the strongest voice in each step, and the sum of all voices' peak powers.
  private var (strongest, peaks): ([Float], [Float])
  /// The factor from each step's sum of powers to the power of the mix.
  private var corrections: [Float]
  /// The steps that count for the loudness.
  private let shown: Range<Int>

  /// Sums the powers of `voices` under their gain curves. Only the interval `shown` of the timeline
  /// counts (all if `nil`).
  init(_ voices: [(voice: VoiceLeveler.Voice, curve: GainCurve)], shown: TimeRange?) {
    let end = voices.map { $0.voice.interval.end.nanoseconds / Self.step }.max() ?? 0
    let count = max(0, Int(min(end, 1 << 28)))
    powers = []
    (strongest, peaks) = ([], [])
    corrections = [Float](repeating: 1, count: count)
    self.shown = (shown?.steps ?? 0..<count).clamped(to: 0..<count)
    take(voices)
  }

  /// Replaces the powers by those of `voices` under other gain curves; corrections are kept.
  mutating func take(_ voices: [(voice: VoiceLeveler.Voice, curve: GainCurve)]) {
    powers = [Double](repeating: 0, count: corrections.count)
    strongest = [Float](repeating: 0, count: corrections.count)
    peaks = strongest
    for (voice, curve) in voices { add(voice, curve) }
  }

  /// Adds the powers of one voice under its gain curve.
  private mutating func add(_ voice: VoiceLeveler.Voice, _ curve: GainCurve) {
    let shift = Int(voice.start.nanoseconds / Self.step)
    let heard = voice.interval.steps
    var index = 0
    for (number, code) in voice.analysis.levels.enumerated() where code > 0 {
      let place = number + shift
      guard place >= 0, place < powers.count, heard.contains(place) else { continue }
      let middle = Int64(number * VoiceAnalysis.hop + VoiceAnalysis.hop / 2)
      let gain = curve.decibels(at: middle, from: &index)
      guard gain > GainCurve.silence else { continue }
      let factor = pow(10, Double(gain) / 10)
      let power = LevelByteCoding.powers[Int(code)] * factor
      powers[place] += power
      strongest[place] = max(strongest[place], Float(power))
      peaks[place] += Float(LevelByteCoding.powers[Int(voice.analysis.peaks[number])] * factor)
    }
  }

  // MARK: - Where voices overlap

  /// True if more than one voice contributes to `step`.
  private func overlaps(_ step: Int) -> Bool {
    powers[step] > 1e-7 && powers[step] > 1.1 * Double(strongest[step])
  }

  /// The ranges of steps to measure.
  var overlapping: [Range<Int>] {
    let all = stride(from: shown.lowerBound, to: shown.upperBound, by: Self.window).map {
      $0..<min(shown.upperBound, $0 + Self.window)
    }
    let found = all.filter { range in 5 * range.count(where: overlaps) > range.count }
    guard found.count > Self.windows else { return found }
    return (0..<Self.windows).map { found[$0 * found.count / Self.windows] }
  }

  /// Sets the corrections from measured powers. Overlapping steps that were not measured get the
  /// mean ratio.
  mutating func correct(_ measured: [(steps: Range<Int>, powers: [Double])]) {
    let places = measured.flatMap { range, powers in zip(range, powers).map { ($0, $1) } }
    let known = Set(places.map(\.0))
    let shared = places.filter { overlaps($0.0) }
    let expected = shared.reduce(0) { $0 + powers[$1.0] }
    if expected > 0 {
      let ratio = Float(shared.reduce(0) { $0 + $1.1 } / expected)
      for step in powers.indices where overlaps(step) && !known.contains(step) {
        corrections[step] = ratio
      }
    }
    for (step, power) in places where powers[step] > 0 {
      corrections[step] = Float(power / powers[step])
    }
  }

  // MARK: - The loudness

  /// The power of each counted step after the limiter.
  private var limited: [Double] {
    var reduction = 0.0
    return shown.map { step in
      let peak = 10 * log10(max(1e-12, Double(peaks[step])))
      let needed = peak - Double(Limiter.ceilingDecibels)
      reduction = max(needed, reduction * Self.release, 0)
      return powers[step] * Double(corrections[step]) * pow(10, -reduction / 10)
    }
  }

  /// The gated loudness (BS.1770) of the counted steps in LUFS; `nil` if they are silent.
  var integrated: Double? {
    let powers = limited
    var blocks: [Double] = []
    var sum = powers.prefix(Self.block).reduce(0, +)
    var first = 0
    while first + Self.block <= powers.count {
      blocks.append(max(0, sum) / Double(Self.block))
      for index in first..<min(first + Self.distance, powers.count - Self.block) {
        sum += powers[index + Self.block] - powers[index]
      }
      first += Self.distance
    }
    let audible = blocks.filter { $0 > pow(10, -7) }
    guard !audible.isEmpty else { return nil }
    let gate = audible.reduce(0, +) / Double(audible.count) / 10
    let loud = audible.filter { $0 > gate }
    return loud.isEmpty ? nil : 10 * log10(loud.reduce(0, +) / Double(loud.count))
  }
}
